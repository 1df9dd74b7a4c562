package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"time"
)

// Outcome is what a run came to.
type Outcome struct {
	// Told is true if there was an event.
	Told bool
	// Failure is the event that says why it failed, or nil.
	Failure *Event
	// Joins are the ways to join that it handed back, one for each token.
	Joins []Join
	// ExitCode of the program: 2 usage, 3 conflict, nothing written, 4 timeout or unavailable, 1 its own mistake.
	ExitCode int
}

// Drive runs the program and hands every event to `tell` as soon as it comes. When the context ends, the program is asked to stop: it
// does so between two writes, and says so. An error means that the program did not keep to its format, or could not be started.
func Drive(ctx context.Context, program string, arguments []string, tell func(Event)) (Outcome, error) {
	command := exec.CommandContext(ctx, program, append(arguments, "-o", "jsonl")...)
	command.Cancel = func() error { return command.Process.Signal(os.Interrupt) }
	command.WaitDelay = 2 * time.Minute
	// People read it; it says nothing that the events do not say, unless something goes wrong before there are any.
	var complaints bytes.Buffer
	command.Stderr = &complaints
	output, err := command.StdoutPipe()
	if err != nil {
		return Outcome{}, err
	}
	if err := command.Start(); err != nil {
		return Outcome{}, err
	}
	outcome, readErr := read(output, tell)
	if readErr != nil {
		_ = command.Cancel()
	}
	// Whatever is left has to be read, or the program would wait for its reader.
	_, _ = io.Copy(io.Discard, output)
	waitErr := command.Wait()
	outcome.ExitCode = command.ProcessState.ExitCode()
	var exit *exec.ExitError
	switch {
	case readErr == nil && waitErr == nil && !outcome.Told:
		return outcome, errors.New("it told nothing")
	case readErr != nil:
		return outcome, readErr
	case waitErr != nil && outcome.Failure == nil:
		return outcome, fmt.Errorf("%w, and no event says why: %s", waitErr, bytes.TrimSpace(complaints.Bytes()))
	case waitErr != nil && !errors.As(waitErr, &exit) && ctx.Err() == nil:
		return outcome, waitErr
	}
	return outcome, nil
}

// read takes events until there are no more.
func read(output io.Reader, tell func(Event)) (Outcome, error) {
	var outcome Outcome
	lines := json.NewDecoder(output)
	for {
		var event Event
		if err := lines.Decode(&event); errors.Is(err, io.EOF) {
			return outcome, nil
		} else if err != nil {
			return outcome, fmt.Errorf("a line is no event: %w", err)
		}
		outcome.Told = true
		switch event.Type {
		case "run":
			if event.OutputVersion != supportedVersion {
				return outcome, fmt.Errorf("events are of version %s, not %s", event.OutputVersion, supportedVersion)
			}
		case "result":
			if event.Name == "joinCommand" {
				var join Join
				if err := json.Unmarshal(event.Value, &join); err != nil {
					return outcome, fmt.Errorf("no way to join: %w", err)
				}
				outcome.Joins = append(outcome.Joins, join)
			}
		case "error":
			outcome.Failure = &event
		}
		tell(event)
	}
}
