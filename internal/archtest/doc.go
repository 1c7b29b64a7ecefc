// Package archtest holds the project's rules about itself as tests: which
// package imports which (the table in the README), that every package says what
// it is for, that the README says what a suite may hold and compiles, that no
// secret stands in a fixture, and that the engine names no product.
//
// It has no code but its tests.
package archtest
