// Package archtest holds the project's rules about itself as tests: which
// package imports which, that every package says what it is for, that no
// secret stands in a fixture, and that the engine names no product.
//
// It has no code but its tests.
package archtest
