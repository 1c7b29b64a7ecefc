package main

import (
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// app is what the commands share: the standard streams and the flags of the
// root command.
type app struct {
	in         io.Reader
	out        io.Writer // results
	err        io.Writer // everything else
	configFile string    // --config; "" means the usual places
}

func newRootCmd(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "harness",
		Short: "run browser scenarios on recorded sites, debug saved pages, do tasks on live ones",
		Long: `harness finds what you name on a web page in layers (locators, the page's own
script, vision), acts on it, checks that the act had its effect and keeps the evidence.

Settings come from flags, then the environment (HARNESS_*, OPENAI_API_KEY,
OPENAI_BASE_URL), then ./harness.yaml, then harness/config.yaml in your
configuration folder.`,
		Example:       "  harness run scenarios/forms.yaml\n  harness doctor",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE:          func(cmd *cobra.Command, args []string) error { return unknownCommand(cmd, args) },
	}
	cmd.SuggestionsMinimumDistance = 2
	cmd.PersistentFlags().StringVar(&a.configFile, "config", "", "configuration `file` in place of the usual ones")
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usagef("%v", err) })
	cmd.CompletionOptions.HiddenDefaultCmd = true
	cmd.SetHelpCommand(&cobra.Command{Hidden: true})
	for _, newCmd := range commands() {
		cmd.AddCommand(newCmd(a))
	}
	return cmd
}

// commands are the constructors of all commands, in the order of the help.
func commands() []func(*app) *cobra.Command {
	return []func(*app) *cobra.Command{
		newRunCmd,
		func(a *app) *cobra.Command { return newDoCmd(a, a.openOne) },
		newInspectCmd,
		func(a *app) *cobra.Command { return newClassifyCmd(a, a.openOne) },
		newVisionCmd,
		newSchemaCmd,
		newDoctorCmd,
		newInstallCmd,
	}
}

// unknownCommand is the error of a first word that is no command; without any
// word it prints the help.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return cmd.Help()
	}
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown command %q (did you mean %s?)", args[0], strings.Join(near, " or "))
	}
	return usagef("unknown command %q", args[0])
}

// usageArgs makes what is wrong with a command's arguments a usage error.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usagef("%v", err)
		}
		return nil
	}
}
