package browser

import (
	"testing"

	"harness/locate"
	"harness/locate/locatetest"
)

func TestContract(t *testing.T) {
	locatetest.Contract(t, func(t *testing.T, html string) locate.Page { return open(t, html) })
}
