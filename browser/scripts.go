package browser

import _ "embed"

// The page scripts. Each file is one function or one immediately called
// function; values reach them as arguments only.
var (
	//go:embed page.js
	pageScript string
	//go:embed act.js
	actScript string
	//go:embed watch.js
	watchScript string
	//go:embed clock.js
	clockScript string
	//go:embed call.js
	callScript string
	//go:embed own.js
	ownScript string
	//go:embed eval.js
	evalScript string
	//go:embed engine.js
	engineScript string
)

// engineName is the Playwright selector engine that finds an element by its
// registry number.
const engineName = "harness"
