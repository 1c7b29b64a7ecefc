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

// root is the project's folder as seen from this package.
const root = "../.."

// shared are outside modules that more than one package may import.
var shared = []string{"golang.org/x/sync"}

// pkg is what go list says of a package.
type pkg struct {
	ImportPath   string
	Doc          string
	Imports      []string
	TestImports  []string
	XTestImports []string
	GoFiles      []string
}

func (p pkg) name() string { return strings.TrimPrefix(p.ImportPath, module) }

func packages(t *testing.T) []pkg {
	t.Helper()
	cmd := exec.Command("go", "list", "-json=ImportPath,Doc,Imports,TestImports,XTestImports,GoFiles", "./...")
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

// imported are the outside modules of the imports, sorted, without the shared.
func imported(t *testing.T, modules []string, imports []string) []string {
	t.Helper()
	var out []string
	for _, imp := range imports {
		if first, _, _ := strings.Cut(imp, "/"); !strings.Contains(first, ".") {
			continue
		}
		m := moduleOf(modules, imp)
		if assert.NotEmpty(t, m, "%s is in no module of the README's list of dependencies", imp) && !slices.Contains(shared, m) {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moduleOf is the module that holds the package, "" where none does.
func moduleOf(modules []string, path string) string {
	for _, m := range append(slices.Clone(modules), shared...) {
		if path == m || strings.HasPrefix(path, m+"/") {
			return m
		}
	}
	return ""
}

// ours are the project's own packages among the imports, sorted.
func ours(imports []string) []string {
	var out []string
	for _, imp := range imports {
		if name, ok := strings.CutPrefix(imp, module); ok {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

// The README's table says what each package imports, neither less nor more.
func TestImports(t *testing.T) {
	table, modules := layout(t), dependencies(t)
	for _, p := range packages(t) {
		r, ok := table[p.name()]
		if !assert.True(t, ok, "package %s has no row in the README's layout", p.name()) {
			continue
		}
		delete(table, p.name())
		if !r.all {
			assert.Equal(t, r.ours, ours(p.Imports), "imports of ours of %s: the README's layout against the code", p.name())
		}
		assert.Equal(t, r.outside, imported(t, modules, p.Imports), "outside modules of %s: the README's layout against the code", p.name())
	}
	for name := range table {
		assert.Fail(t, "the README's layout has a row for "+name+", and there is no such package")
	}
}

// An outside module has one importer, so that it can be replaced in one place.
func TestOneImporter(t *testing.T) {
	owner := map[string]string{}
	for name, r := range layout(t) {
		for _, m := range r.outside {
			assert.Empty(t, owner[m], "%s is imported by %s and %s", m, owner[m], name)
			owner[m] = name
		}
	}
}

// Every module that is imported, by tests too, stands in the README with what
// it saves, and no other.
func TestDependenciesAreExplained(t *testing.T) {
	modules := dependencies(t)
	var used []string
	for _, p := range packages(t) {
		used = append(used, imported(t, modules, slices.Concat(p.Imports, p.TestImports, p.XTestImports))...)
	}
	slices.Sort(used)
	assert.Equal(t, modules, slices.Compact(used))
}

func TestPackageDocs(t *testing.T) {
	for _, p := range packages(t) {
		if len(p.GoFiles) > 0 {
			assert.GreaterOrEqual(t, len(p.Doc), 40, "package %s does not say what it is for", p.ImportPath)
		}
	}
}
