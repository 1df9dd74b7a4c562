// Asks the libraries that kubeadm v1.37.2 applies patches with.
//
//	go run . types core   prints the types of that API group with their patch strategies, as src/core-types.ts holds them
//	go run . apply        reads cases.json, applies each patch, prints the answers as answers.json holds them
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sort"
	"strings"

	jsonpatch "gopkg.in/evanphx/json-patch.v4"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	logsv1 "k8s.io/component-base/logs/api/v1"
	kubeletv1beta1 "k8s.io/kubelet/config/v1beta1"
	"sigs.k8s.io/yaml"
)

func main() {
	switch strings.Join(os.Args[1:], " ") {
	case "types core", "types apps", "types meta", "types kubelet":
		printTypes(os.Args[2])
	case "apply":
		printAnswers()
	default:
		panic("say apply, or types with one of core, apps, meta, kubelet")
	}
}

var leaves = map[reflect.Type]string{
	reflect.TypeFor[metav1.Time]():               "time",
	reflect.TypeFor[metav1.MicroTime]():          "time",
	reflect.TypeFor[metav1.Duration]():           "duration",
	reflect.TypeFor[metav1.FieldsV1]():           "any",
	reflect.TypeFor[resource.Quantity]():         "quantity",
	reflect.TypeFor[resource.QuantityValue]():    "quantity",
	reflect.TypeFor[intstr.IntOrString]():        "intOrString",
	reflect.TypeFor[logsv1.TimeOrMetaDuration](): "any",
	reflect.TypeFor[runtime.RawExtension]():      "any",
}

// Structs by name, the lines of their fields, and the table that each belongs to.
type table struct {
	fields map[string][]string
	types  map[string]reflect.Type
}

var groups = map[string]string{
	"k8s.io/api/core/v1":                   "core",
	"k8s.io/api/apps/v1":                   "apps",
	"k8s.io/apimachinery/pkg/apis/meta/v1": "meta",
	"k8s.io/kubelet/config/v1beta1":        "kubelet",
	"k8s.io/component-base/logs/api/v1":    "kubelet",
	"k8s.io/component-base/tracing/api/v1": "kubelet",
}

func printTypes(group string) {
	structs := table{map[string][]string{}, map[string]reflect.Type{}}
	for _, root := range []reflect.Type{
		reflect.TypeFor[corev1.Pod](), reflect.TypeFor[appsv1.Deployment](), reflect.TypeFor[appsv1.DaemonSet](),
		reflect.TypeFor[kubeletv1beta1.KubeletConfiguration](),
	} {
		structs.add(root)
	}
	names := make([]string, 0, len(structs.types))
	for name, typ := range structs.types {
		owner, known := groups[typ.PkgPath()]
		if !known {
			panic("no table holds the types of " + typ.PkgPath())
		}
		if owner == group {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for _, name := range names {
		printWrapped(name+":", structs.fields[name])
	}
}

func printWrapped(line string, fields []string) {
	for i, field := range fields {
		if i < len(fields)-1 {
			field += " |"
		}
		if len(line)+1+len(field) > 120 {
			fmt.Println(line)
			line = " "
		}
		line += " " + field
	}
	fmt.Println(line)
}

func (t table) add(structure reflect.Type) {
	name := structure.Name()
	if known, ok := t.types[name]; ok {
		if known != structure {
			panic("two types are named " + name)
		}
		return
	}
	t.types[name] = structure
	t.fields[name] = t.fieldsOf(structure)
}

// A field: its JSON name, its type in Go's notation, then `!` if it is written even when empty, then patch strategy and
// merge key.
func (t table) fieldsOf(structure reflect.Type) []string {
	var fields []string
	for i := range structure.NumField() {
		field := structure.Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		if field.Anonymous && (name == "" || strings.Contains(options, "inline")) {
			fields = append(fields, t.fieldsOf(field.Type)...)
			continue
		}
		if name == "" || name == "-" {
			panic(structure.Name() + "." + field.Name + " has no JSON name")
		}
		text := name + " " + t.describe(field.Type)
		// encoding/json never takes a struct for empty.
		omitsEmpty := strings.Contains(options, "omitempty") && field.Type.Kind() != reflect.Struct
		if !omitsEmpty && !strings.Contains(options, "omitzero") {
			text += "!"
		}
		if strategy := field.Tag.Get("patchStrategy"); strategy != "" {
			text += " " + strategy
			if key := field.Tag.Get("patchMergeKey"); key != "" {
				text += " " + key
			}
		}
		fields = append(fields, text)
	}
	return fields
}

func (t table) describe(typ reflect.Type) string {
	if leaf, ok := leaves[typ]; ok {
		return leaf
	}
	switch typ.Kind() {
	case reflect.Pointer:
		return "*" + t.describe(typ.Elem())
	case reflect.Slice:
		if typ.Elem().Kind() == reflect.Uint8 {
			return "bytes"
		}
		return "[]" + t.describe(typ.Elem())
	case reflect.Map:
		if typ.Key().Kind() != reflect.String {
			panic("a map with keys that are no strings: " + typ.String())
		}
		return "map:" + t.describe(typ.Elem())
	case reflect.Struct:
		if reflect.PointerTo(typ).Implements(reflect.TypeFor[json.Unmarshaler]()) {
			panic("a type with a decoder of its own: " + typ.String())
		}
		t.add(typ)
		return typ.Name()
	case reflect.Interface:
		return "any"
	case reflect.String, reflect.Bool, reflect.Int32, reflect.Int64, reflect.Uint32, reflect.Float64:
		return typ.Kind().String()
	}
	panic("an unknown type: " + typ.String())
}

type patchCase struct {
	Name     string   `json:"name"`
	Document string   `json:"document"`
	Type     string   `json:"type"`
	Patches  []string `json:"patches"`
}

type answer struct {
	// The document after the patches, decoded as its kind and encoded again; kubeadm does so with all but the kubelet's configuration.
	Patched json.RawMessage `json:"patched,omitempty"`
	Error   string          `json:"error,omitempty"`
	// Why it could not be decoded.
	DecodeError string `json:"decodeError,omitempty"`
}

var structures = map[string]any{
	"Pod":                  corev1.Pod{},
	"Deployment":           appsv1.Deployment{},
	"DaemonSet":            appsv1.DaemonSet{},
	"KubeletConfiguration": kubeletv1beta1.KubeletConfiguration{},
}

func printAnswers() {
	var input struct {
		Documents map[string]string `json:"documents"`
		Cases     []patchCase       `json:"cases"`
	}
	text, err := os.ReadFile("cases.json")
	if err != nil {
		panic(err)
	}
	if err := json.Unmarshal(text, &input); err != nil {
		panic(err)
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, appsv1.AddToScheme} {
		if err := add(scheme); err != nil {
			panic(err)
		}
	}
	decoder := serializer.NewCodecFactory(scheme).UniversalDeserializer()
	answers := map[string]answer{}
	for _, one := range input.Cases {
		if _, twice := answers[one.Name]; twice {
			panic("two cases are named " + one.Name)
		}
		answers[one.Name] = answerTo(one, input.Documents[one.Document], decoder)
	}
	names := make([]string, 0, len(answers))
	for name := range answers {
		names = append(names, name)
	}
	sort.Strings(names)
	// A line for each case, so that changes can be read.
	for i, name := range names {
		line, err := json.Marshal(map[string]answer{name: answers[name]})
		if err != nil {
			panic(err)
		}
		line[0], line[len(line)-1] = ' ', ','
		if i == 0 {
			line[0] = '{'
		}
		if i == len(names)-1 {
			line[len(line)-1] = '}'
		}
		fmt.Println(string(line))
	}
}

func answerTo(one patchCase, document string, decoder runtime.Decoder) (result answer) {
	defer func() {
		if failure := recover(); failure != nil {
			result = answer{Error: fmt.Sprint("panic: ", failure)}
		}
	}()
	data, err := yaml.YAMLToJSON([]byte(document))
	if err != nil {
		panic(err)
	}
	var kind metav1.TypeMeta
	if err := json.Unmarshal(data, &kind); err != nil {
		panic(err)
	}
	structure, known := structures[kind.Kind]
	if !known {
		panic("unknown kind " + kind.Kind)
	}
	for _, patch := range one.Patches {
		patchJSON, err := yaml.YAMLToJSON([]byte(patch))
		if err != nil {
			return answer{Error: err.Error()}
		}
		switch one.Type {
		case "json":
			var operations jsonpatch.Patch
			if operations, err = jsonpatch.DecodePatch(patchJSON); err == nil {
				data, err = operations.Apply(data)
			}
		case "merge":
			data, err = jsonpatch.MergePatch(data, patchJSON)
		case "strategic":
			data, err = strategicpatch.StrategicMergePatch(data, patchJSON, structure)
		default:
			panic("unknown type " + one.Type)
		}
		if err != nil {
			return answer{Error: err.Error()}
		}
	}
	if kind.Kind == "KubeletConfiguration" {
		return answer{Patched: data}
	}
	object, _, err := decoder.Decode(data, nil, nil)
	if err != nil {
		return answer{DecodeError: err.Error()}
	}
	decoded, err := json.Marshal(object)
	if err != nil {
		panic(err)
	}
	return answer{Patched: decoded}
}
