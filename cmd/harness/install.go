package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"harness/browser"
)

// installOptions are the flags of `harness install`.
type installOptions struct {
	force bool // Playwright's Chromium even where a browser is found
}

func newInstallCmd(a *app) *cobra.Command {
	var o installOptions
	cmd := &cobra.Command{
		Use:   "install",
		Short: "install Playwright's driver and, where none is found, a Chromium",
		Long: `install brings Playwright's driver and, where no Chromium is found, Playwright's
own into your cache folder. Nothing outside it is changed. Then it looks everything
over as doctor does: what needs your package manager is named with the command. It
fails only for what nothing runs without.`,
		Example: "  harness install",
		Args:    usageArgs(cobra.NoArgs),
		RunE:    func(cmd *cobra.Command, _ []string) error { return runInstall(cmd.Context(), a, o) },
	}
	cmd.Flags().BoolVar(&o.force, "force", false, "install Playwright's Chromium even where a browser is found")
	return cmd
}

func runInstall(ctx context.Context, a *app, o installOptions) error {
	c, err := a.config()
	if err != nil {
		return err
	}
	err = browser.Install(ctx, browser.InstallOptions{
		Options: browser.Options{Executable: c.Browser, Node: c.Node}, Out: a.err, Browser: true, Force: o.force,
	})
	if err != nil {
		return fmt.Errorf("%w\nsee harness doctor for what is missing", err)
	}
	findings := examine(ctx, c)
	if _, err := fmt.Fprint(a.out, findingLines(findings)); err != nil {
		return err
	}
	if slices.ContainsFunc(findings, func(f finding) bool { return f.needed }) {
		return errFailed
	}
	return nil
}
