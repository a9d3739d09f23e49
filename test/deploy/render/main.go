// Renders the templates of a chart with the libraries that Helm is built on: Go's text/template and Masterminds' sprig.
// No package registry within reach has Helm itself. Usage: main FOLDER < {"Values": …, "Release": …, "Chart": …}
// It prints {"file": "text", …}. A value that does not exist is an error, as with `helm lint --strict`.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	yaml "gopkg.in/yaml.v3"
)

func main() {
	var data map[string]interface{}
	check(json.NewDecoder(os.Stdin).Decode(&data))
	all := template.New("chart").Option("missingkey=error")
	functions := sprig.TxtFuncMap()
	// Helm removes these, so a chart must not use them.
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out strings.Builder
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	all.Funcs(functions)

	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		_, err = all.New(filepath.Base(file)).Parse(string(text))
		check(err)
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out strings.Builder
		check(all.ExecuteTemplate(&out, name, data))
		rendered[name] = out.String()
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
