// Command go-driver runs `groundplane init`, shows how far it is, and prints how nodes join.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
)

func main() {
	os.Exit(run())
}

func run() int {
	program := flag.String("program", "groundplane", "path of the program to run")
	flag.Usage = func() {
		_, _ = fmt.Fprintf(flag.CommandLine.Output(), "usage: go-driver [-program PATH] [COMMAND AND FLAGS OF GROUNDPLANE]\n")
		flag.PrintDefaults()
	}
	flag.Parse()
	arguments := flag.Args()
	if len(arguments) == 0 {
		arguments = []string{"init"}
	}

	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	progress := NewProgress(os.Stderr)
	outcome, err := Drive(ctx, *program, arguments, progress.Tell)
	if err != nil {
		_, _ = fmt.Fprintf(os.Stderr, "cannot drive %s: %v\n", *program, err)
		return 1
	}
	if outcome.Failure != nil {
		progress.Failure(*outcome.Failure)
		// A program that was ended by a signal has no exit code.
		return max(outcome.ExitCode, 1)
	}
	// The result is on stdout, and nothing else: another program may read it.
	for _, join := range outcome.Joins {
		fmt.Println("groundplane " + strings.Join(join.Arguments(), " "))
	}
	return 0
}
