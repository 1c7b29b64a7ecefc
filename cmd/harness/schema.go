package main

import (
	"github.com/spf13/cobra"

	"harness/scenarios"
)

func newSchemaCmd(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "print the JSON Schema of suites, for editors",
		Long: `schema prints the JSON Schema of a suite, made from the types that the loader uses.

Editors that speak YAML take it with a first line such as
# yaml-language-server: $schema=suite.schema.json`,
		Example: "  harness schema > suite.schema.json",
		Args:    usageArgs(cobra.NoArgs),
		RunE: func(*cobra.Command, []string) error {
			out, err := scenarios.Schema()
			if err != nil {
				return err
			}
			_, err = a.out.Write(out)
			return err
		},
	}
}
