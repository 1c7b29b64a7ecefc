package browser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"harness/dom"
)

// filler makes a page so large that a query must leave most of it out.
func filler(rows int) string {
	var b strings.Builder
	b.WriteString("<table>")
	for i := range rows {
		fmt.Fprintf(&b, "<tr><td>Row %d</td><td><button>Open %d</button></td><td><input aria-label='Note %d'></td></tr>\n", i, i, i)
	}
	return b.String() + "</table>"
}

// A part of a page must hold every element that may be called by the words,
// with the name that it has in the whole: a rival that is missed makes a sure
// choice of a tie.
func TestAQueryKeepsEveryRival(t *testing.T) {
	rivals := map[string]string{ // by id, all called "Book seat 77"
		"plain":       `<button id=plain>Book seat 77</button>`,
		"inner":       `<button id=inner>Book <b>seat</b> <i>77</i></button>`,
		"cut":         `<button id=cut>Book se<b>at</b> 7<i>7</i></button>`,
		"case":        `<button id=case>BOOK Seat 77</button>`,
		"lines":       "<button id=lines>Book\n  seat\n\t77</button>",
		"wide":        `<button id=wide>Ｂｏｏｋ ｓｅａｔ ７７</button>`,
		"soft":        `<button id=soft>Book se&shy;at&nbsp;77</button>`,
		"label":       `<a href=# id=label aria-label="Book seat 77">×</a>`,
		"image":       `<button id=image>Book <img alt="seat 77"></button>`,
		"picture":     `<a href=# id=picture><img alt="Book"> seat <img alt="77"></a>`,
		"titled":      `<a href=# id=titled title="Book seat 77"></a>`,
		"value":       `<input type=button id=value value="Book seat 77">`,
		"labelled":    `<span id=l1>Book</span><span id=l2>seat</span><span id=l3>77</span><input id=labelled aria-labelledby="l1 l2 l3">`,
		"for":         `<div><label for=for>Book <em>seat</em> 77</label></div><div><input id=for></div>`,
		"around":      `<label>Book seat 77 <input id=around></label>`,
		"typed":       `<label for=typed>Book seat <input value=77 aria-label=which></label><input type=checkbox id=typed>`,
		"placeholder": `<input id=placeholder placeholder="Book seat 77">`,
		"slotted":     `<x-press id=slotted role=button tabindex=0>Book seat <b slot=n>77</b></x-press>`,
		"shadow":      `<x-hold></x-hold>`,
		"closed":      `<x-keep></x-keep>`,
		"drawing":     `<button id=drawing><svg width=9 height=9><title>Book seat 77</title></svg></button>`,
	}
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Seats</title><body>` + filler(200))
	for id, html := range rivals {
		fmt.Fprintf(&b, "<section>%s<!-- %s -->%s</section>", html, id, filler(25))
	}
	b.WriteString(`<script>
		const root = (name, mode, html) => { for (const el of document.querySelectorAll(name)) el.attachShadow({mode}).innerHTML = html };
		root('x-press', 'open', '<div><slot></slot><slot name=n></slot></div>');
		root('x-hold', 'open', '<div><p>at</p><button id=shadow>Book <b>seat</b> 77</button></div>');
		root('x-keep', 'closed', '<button id=closed>Book seat 77</button>');
	</script>`)
	p := open(t, b.String())
	whole, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	part, err := p.Snapshot(t.Context(), dom.Query{Needles: []string{"book seat 77", "book seat 77 button"}})
	require.NoError(t, err)
	assert.False(t, whole.Partial)
	assert.True(t, part.Partial)
	assert.Less(t, len(part.Nodes), len(whole.Nodes)/4)
	found := map[string]bool{}
	for _, n := range whole.Nodes {
		id := n.Attr("id")
		if rivals[id] == "" {
			continue
		}
		found[id] = true
		kept := part.ByRef(n.Ref)
		if !assert.NotNil(t, kept, "%s is left out", id) {
			continue
		}
		assert.Equal(t, n.Name(), kept.Name(), id)
		assert.Equal(t, n.InnerText(), kept.InnerText(), id)
		assert.Equal(t, n.Facts, kept.Facts, id)
		assert.Equal(t, n.Box, kept.Box, id)
	}
	for id := range rivals {
		assert.True(t, found[id], "%s is not in the page", id)
	}
}

// Words that stand all over the page make a part no gain: the whole is read, once.
func TestAQueryForWhatIsEverywhereTakesThePage(t *testing.T) {
	p := open(t, filler(400))
	s, err := p.Snapshot(t.Context(), dom.Query{Needles: []string{"note"}})
	require.NoError(t, err)
	assert.False(t, s.Partial)
	whole, err := p.Snapshot(t.Context(), dom.Query{})
	require.NoError(t, err)
	assert.Len(t, s.Nodes, len(whole.Nodes))
}
