package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Progress tells people how far a run is.
type Progress struct {
	out    io.Writer
	phases []string
	// What is awaited and why, by subject: a reason is told when it is new.
	reasons map[string]string
}

func NewProgress(out io.Writer) *Progress {
	return &Progress{out: out, reasons: map[string]string{}}
}

// Tell shows one event. What it does not know it leaves out.
func (progress *Progress) Tell(event Event) {
	switch event.Type {
	case "run":
		progress.print("%s on %s with Kubernetes %s", event.Command, event.NodeName, event.KubernetesVersion)
	case "lock-wait":
		progress.print("%s", event.Message)
	case "workflow-started":
		progress.phases = event.Phases
	case "phase-started":
		clear(progress.reasons)
		progress.print("%s %s: %s", progress.position(event.Phase), event.Phase, event.Summary)
	case "waiting":
		if progress.reasons[event.Subject] != event.Reason {
			progress.reasons[event.Subject] = event.Reason
			progress.print("  waiting for %s: %s (at most %s)", event.Subject, event.Reason, milliseconds(event.TimeoutMs))
		}
	case "phase-finished":
		progress.print("  %s after %s", event.Decision, milliseconds(event.DurationMs))
	case "phase-failed":
		progress.print("  failed after %s", milliseconds(event.DurationMs))
	case "finding":
		if event.Finding != nil && event.Finding.Severity == "warning" {
			progress.finding(*event.Finding)
		}
	case "workflow-finished":
		progress.print("done after %s", milliseconds(event.DurationMs))
	}
}

// Failure explains why a run failed, and what can be done about it.
func (progress *Progress) Failure(failure Event) {
	progress.print("%s (%s): %s", failure.Code, failure.Kind, failure.Message)
	for _, finding := range failure.Findings {
		progress.finding(finding)
	}
	if failure.Hint != "" && len(failure.Findings) == 0 {
		progress.print("  %s", strings.ReplaceAll(failure.Hint, "\n", "\n  "))
	}
	switch failure.Kind {
	case "conflict":
		progress.print("Nothing was changed by the phase that refused; mend it and run the same command again.")
	case "timeout", "unavailable":
		progress.print("What was done is kept: running the same command again goes on from here.")
	}
}

func (progress *Progress) finding(finding Finding) {
	progress.print("  %s %s: %s: %s", finding.Severity, finding.Code, finding.Artifact, finding.Message)
	if finding.Hint != "" {
		progress.print("    %s", strings.ReplaceAll(finding.Hint, "\n", "\n    "))
	}
}

func (progress *Progress) position(phase string) string {
	return fmt.Sprintf("[%d/%d]", slices.Index(progress.phases, phase)+1, len(progress.phases))
}

func (progress *Progress) print(format string, arguments ...any) {
	_, _ = fmt.Fprintf(progress.out, format+"\n", arguments...)
}
