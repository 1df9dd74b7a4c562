package main

import (
	"encoding/json"
	"time"
)

// supportedVersion is the version of the events that this program understands: the event "run" says which one it is.
const supportedVersion = "v1"

// Event is a line of `-o jsonl`, with the fields of all types that this program is interested in; `groundplane schemas event`
// prints what there is. A type that is not known here is to be ignored: a release may add some.
type Event struct {
	Type string `json:"type"`

	// run
	OutputVersion     string `json:"outputVersion"`
	Command           string `json:"command"`
	NodeName          string `json:"nodeName"`
	KubernetesVersion string `json:"kubernetesVersion"`

	// workflow-started
	Phases []string `json:"phases"`

	// all that a phase tells
	Phase      string  `json:"phase"`
	Summary    string  `json:"summary"`
	Decision   string  `json:"decision"`
	DurationMs float64 `json:"durationMs"`

	// waiting
	Subject   string  `json:"subject"`
	Reason    string  `json:"reason"`
	TimeoutMs float64 `json:"timeoutMs"`

	// finding
	Finding *Finding `json:"finding"`

	// result; what the value is depends on the name
	Name  string          `json:"name"`
	Value json.RawMessage `json:"value"`

	// error
	Code     string    `json:"code"`
	Kind     string    `json:"kind"`
	Message  string    `json:"message"`
	Hint     string    `json:"hint"`
	Findings []Finding `json:"findings"`
}

// Finding is a verdict about the node, the cluster or the configuration.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Artifact string `json:"artifact"`
	Message  string `json:"message"`
	Hint     string `json:"hint"`
}

// Join says how a node joins: the value of a result with the name "joinCommand".
type Join struct {
	Server         string   `json:"server"`
	Token          string   `json:"token"`
	CACertHashes   []string `json:"caCertHashes"`
	CertificateKey string   `json:"certificateKey"`
	ControlPlane   bool     `json:"controlPlane"`
}

// Arguments are those of `groundplane join` for a worker.
func (join Join) Arguments() []string {
	arguments := []string{"join", join.Server, "--token", join.Token}
	for _, hash := range join.CACertHashes {
		arguments = append(arguments, "--discovery-token-ca-cert-hash", hash)
	}
	return arguments
}

func milliseconds(number float64) time.Duration {
	return time.Duration(number * float64(time.Millisecond)).Round(10 * time.Millisecond)
}
