// Render a Helm chart as `helm template NAME CHART --namespace NAMESPACE --values VALUES` does, by
// Go's own templates and sprig. The chart may use values, include, toYaml and files. The notes go
// to standard error.
//
//	render NAME NAMESPACE CHART VALUES
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	yaml2 "gopkg.in/yaml.v2"
	yaml3 "gopkg.in/yaml.v3"
)

type files string

func (f files) Get(name string) string { return read(filepath.Join(string(f), name)) }

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func read(path string) string {
	text, err := os.ReadFile(path)
	check(err)
	return string(text)
}

// Load YAML through JSON, as Helm does: all numbers are floats.
func load(path string) map[string]interface{} {
	var loose interface{}
	values := map[string]interface{}{}
	check(yaml3.Unmarshal([]byte(read(path)), &loose))
	text, err := json.Marshal(loose)
	check(err)
	check(json.Unmarshal(text, &values))
	return values
}

// Merge the given values, which override the chart's; null removes a key.
func merge(into, given map[string]interface{}) map[string]interface{} {
	for key, value := range given {
		inner, ok := value.(map[string]interface{})
		old, was := into[key].(map[string]interface{})
		switch {
		case value == nil:
			delete(into, key)
		case ok && was:
			into[key] = merge(old, inner)
		default:
			into[key] = value
		}
	}
	return into
}

func toYaml(value interface{}) string {
	text, err := yaml2.Marshal(value)
	check(err)
	return strings.TrimSuffix(string(text), "\n")
}

func main() {
	log.SetFlags(0)
	name, namespace, folder := os.Args[1], os.Args[2], os.Args[3]
	all := template.New("").Option("missingkey=zero").Funcs(sprig.TxtFuncMap())
	all.Funcs(template.FuncMap{
		"toYaml": toYaml,
		"include": func(name string, data interface{}) (string, error) {
			var text bytes.Buffer
			err := all.ExecuteTemplate(&text, name, data)
			return text.String(), err
		},
	})
	paths, err := filepath.Glob(filepath.Join(folder, "templates", "*"))
	check(err)
	for _, path := range paths {
		template.Must(all.New("losslessctl/templates/" + filepath.Base(path)).Parse(read(path)))
	}
	chart := load(filepath.Join(folder, "Chart.yaml"))
	data := map[string]interface{}{
		"Values": merge(load(filepath.Join(folder, "values.yaml")), load(os.Args[4])),
		"Release": map[string]interface{}{"Name": name, "Namespace": namespace,
			"Service": "Helm"},
		"Chart": map[string]interface{}{"Name": chart["name"], "Version": chart["version"],
			"AppVersion": chart["appVersion"]},
		"Template": map[string]interface{}{"BasePath": "losslessctl/templates"},
		"Files":    files(folder),
	}
	for _, path := range paths {
		name := filepath.Base(path)
		if strings.HasPrefix(name, "_") {
			continue
		}
		out := os.Stdout
		if name == "NOTES.txt" {
			out = os.Stderr
		}
		fmt.Fprintln(out, "---")
		check(all.ExecuteTemplate(out, "losslessctl/templates/"+name, data))
	}
}
