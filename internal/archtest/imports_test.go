package archtest

import (
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// module is the prefix of the project's own packages.
const module = "harness/"

// row is what a package may import: of ours, and of outside modules those that
// it imports, alone where exclusive.
type row struct {
	ours    []string
	outside []string // module paths or prefixes
}

// table is the one in the README. A package that is not here fails the test,
// and so does an import that its row does not have. any lets a package import
// all of ours.
var table = map[string]row{
	"dom":                {outside: []string{"github.com/PuerkitoBio/goquery", "golang.org/x/net"}},
	"classify":           {ours: []string{"dom"}, outside: []string{"github.com/PuerkitoBio/goquery"}},
	"vision":             {ours: []string{"dom"}, outside: []string{"github.com/disintegration/imaging", "golang.org/x/image"}},
	"vision/openai":      {ours: []string{"vision", "internal/chat"}},
	"vision/ocr":         {ours: []string{"vision", "dom"}},
	"locate":             {ours: []string{"dom", "classify", "vision"}, outside: []string{"golang.org/x/text", "github.com/markusmobius/go-dateparser"}},
	"locate/locatetest":  {ours: []string{"dom", "locate"}, outside: []string{"github.com/stretchr/testify"}},
	"browser":            {ours: []string{"dom", "locate"}, outside: []string{"github.com/mxschmitt/playwright-go"}},
	"scenarios":          {ours: []string{"dom", "locate", "vision", "internal/agent", "internal/cassette", "internal/chat", "internal/site", "internal/trace", "internal/yaml"}},
	"fixtures":           {},
	"internal/yaml":      {outside: []string{"github.com/goccy/go-yaml"}},
	"internal/chat":      {outside: []string{"github.com/sashabaranov/go-openai"}},
	"internal/cassette":  {},
	"internal/site":      {ours: []string{"internal/yaml"}},
	"internal/agent":     {ours: []string{"dom", "classify", "vision", "locate", "internal/trace", "internal/chat"}, outside: []string{"github.com/invopop/jsonschema", "github.com/pkoukk/tiktoken-go"}},
	"internal/trace":     {ours: []string{"dom", "classify", "vision", "locate"}},
	"internal/report":    {ours: []string{"scenarios", "internal/trace", "locate"}, outside: []string{"golang.org/x/term"}},
	"internal/store":     {outside: []string{"modernc.org/sqlite"}},
	"internal/archtest":  {},
	"internal/bench":     {ours: []string{"any"}},
	"internal/mcpserver": {ours: []string{"any"}, outside: []string{"github.com/modelcontextprotocol/go-sdk"}},
	"cmd/harness":        {ours: []string{"any"}, outside: []string{"github.com/spf13/cobra"}},
}

// shared are outside modules that more than one package may import.
var shared = []string{"golang.org/x/sync", "github.com/PuerkitoBio/goquery"}

// pkg is what go list says of a package.
type pkg struct {
	ImportPath string
	Doc        string
	Imports    []string
	GoFiles    []string
	Standard   bool
}

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,GoFiles,Standard", "./...")
	cmd.Dir = root
	out, err := cmd.Output()
	require.NoError(t, err, "go list")
	var list []pkg
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p pkg
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		list = append(list, p)
	}
	require.NotEmpty(t, list)
	return list
}

// root is the project's folder as seen from this package.
const root = "../.."

func outsideModule(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return strings.Contains(first, ".")
}

func TestImports(t *testing.T) {
	for _, p := range packages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		r, ok := table[name]
		if !assert.True(t, ok, "package %s has no row in the table", name) {
			continue
		}
		for _, imp := range p.Imports {
			switch {
			case strings.HasPrefix(imp, module):
				assert.True(t, slices.Contains(r.ours, "any") || slices.Contains(r.ours, strings.TrimPrefix(imp, module)), "%s imports %s", name, imp)
			case outsideModule(imp):
				assert.True(t, prefixed(imp, r.outside) || prefixed(imp, shared), "%s imports %s", name, imp)
			}
		}
	}
}

func prefixed(path string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return path == p || strings.HasPrefix(path, p+"/") })
}

// An outside module has one importer, so that it can be replaced in one place.
func TestOneImporter(t *testing.T) {
	owner := map[string]string{}
	for name, r := range table {
		for _, m := range r.outside {
			if slices.Contains(shared, m) {
				continue
			}
			assert.Empty(t, owner[m], "%s may be imported by %s and %s", m, owner[m], name)
			owner[m] = name
		}
	}
}

func TestPackageDocs(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 {
			assert.GreaterOrEqual(t, len(p.Doc), 40, "package %s does not say what it is for", p.ImportPath)
		}
	}
}
