package vision

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// No answer may take long to refuse: a model's output is input.
func TestHostileAnswersAreReadQuickly(t *testing.T) {
	n := maxRaw - 100
	for name, raw := range map[string]string{
		"brackets":       strings.Repeat("[", n),
		"braces":         strings.Repeat("{", n),
		"keys":           strings.Repeat(`{"a":`, n/5),
		"bracket keys":   strings.Repeat(`["a":`, n/5),
		"quotes":         `{"a": "` + strings.Repeat(`" `, n/2),
		"spaces":         `["` + strings.Repeat(`"`, 50) + strings.Repeat(" ", n-100),
		"quoted spaces":  `{"a": "` + strings.Repeat(`"`+strings.Repeat(" ", 200), n/201),
		"calls":          strings.Repeat("click(", n/6),
		"lines of calls": strings.Repeat("click(\n", n/7),
		"pairs":          strings.Repeat("(1,2)(3,4)", n/10),
		"digits":         "[" + strings.Repeat("1", n),
		"tags":           strings.Repeat("<box>", n/5),
		"thoughts":       strings.Repeat("<think>", n/7),
		"tool calls":     strings.Repeat("<tool_call>", n/11),
		"nested text":    strings.Repeat(`{"arguments":"{\"arguments\":`, n/29),
		"fences":         strings.Repeat("```", n/3),
		"absences":       strings.Repeat("there is no ", n/12),
	} {
		began := time.Now()
		_, err := box1000.ReadPlace(raw)
		assert.Error(t, err, name)
		assert.Less(t, time.Since(began), 3*time.Second, name)
	}
}
