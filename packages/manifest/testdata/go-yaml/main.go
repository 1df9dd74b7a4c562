// Reads one JSON string per line. Mode "read": the string is YAML; prints {"json":…,"error":…,"strict":…}.
// Mode "write": the string is JSON; prints the YAML text as a JSON string.
package main

import (
	"bufio"
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<26)
	out := json.NewEncoder(os.Stdout)
	out.SetEscapeHTML(false)
	for in.Scan() {
		var text string
		if err := json.Unmarshal(in.Bytes(), &text); err != nil {
			panic(err)
		}
		if os.Args[1] == "write" {
			y, err := yaml.JSONToYAML([]byte(text))
			if err != nil {
				panic(err)
			}
			out.Encode(string(y))
			continue
		}
		result := map[string]any{}
		if j, err := yaml.YAMLToJSON([]byte(text)); err != nil {
			result["error"] = err.Error()
		} else {
			result["json"] = json.RawMessage(j)
		}
		if _, err := yaml.YAMLToJSONStrict([]byte(text)); err != nil {
			result["strict"] = err.Error()
		}
		out.Encode(result)
	}
}
