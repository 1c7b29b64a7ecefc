package browser

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
	"harness/locate"
)

func TestSnapshotMatchesASelector(t *testing.T) {
	p := open(t, `<button class=buy>Buy</button><button>Sell</button><div id=host></div>
		<script>host.attachShadow({mode: 'open'}).innerHTML = '<button class=buy>Buy more</button>'</script>`)
	s, err := p.Snapshot(t.Context(), dom.Query{CSS: ".buy"})
	require.NoError(t, err)
	var names []string
	for _, n := range s.Matches {
		names = append(names, n.Name())
	}
	assert.Equal(t, []string{"Buy", "Buy more"}, names)

	_, err = p.Snapshot(t.Context(), dom.Query{CSS: "button["})
	assert.ErrorIs(t, err, dom.ErrSelector)

	r, err := locate.New(p, locate.Options{}).Find(t.Context(), locate.Target{CSS: "button:not(.buy)"}, locate.How{})
	require.NoError(t, err)
	assert.Equal(t, "Sell", r.Chosen.Name)
}
