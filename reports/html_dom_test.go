package reports

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// elements are all elements of a kind, in the page's order.
func elements(doc *html.Node, kind atom.Atom) []*html.Node {
	var all []*html.Node
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && n.DataAtom == kind {
			all = append(all, n)
		}
	}
	return all
}

func firstElement(n *html.Node) *html.Node {
	for child := range n.ChildNodes() {
		if child.Type == html.ElementNode {
			return child
		}
	}
	return nil
}

func attributeOf(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			if a.Val == "" {
				return name
			}
			return a.Val
		}
	}
	return ""
}

func textIn(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

func byID(t *testing.T, doc *html.Node, id string) *html.Node {
	t.Helper()
	for n := range doc.Descendants() {
		if n.Type == html.ElementNode && attributeOf(n, "id") == id {
			return n
		}
	}
	t.Fatalf("the page has no element %q", id)
	return nil
}

// wantHeadings wants no level left out on the way down.
func wantHeadings(t *testing.T, doc *html.Node) {
	t.Helper()
	last := 0
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || len(n.Data) != 2 || n.Data[0] != 'h' || n.Data[1] < '1' || n.Data[1] > '6' {
			continue
		}
		level := int(n.Data[1] - '0')
		if level > last+1 {
			t.Errorf("heading %q of level %d stands below one of level %d", textIn(n), level, last)
		}
		last = level
	}
}

// wantAnchors wants each name once, and each link within the page to lead somewhere.
func wantAnchors(t *testing.T, doc *html.Node) {
	t.Helper()
	ids := map[string]bool{}
	var wanted []string
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if id := attributeOf(n, "id"); id != "" {
			if ids[id] {
				t.Errorf("two elements are called %q", id)
			}
			ids[id] = true
		}
		if target, local := strings.CutPrefix(attributeOf(n, "href"), "#"); local {
			wanted = append(wanted, target)
		}
		wanted = append(wanted, strings.Fields(attributeOf(n, "aria-labelledby"))...)
	}
	for _, id := range wanted {
		if !ids[id] {
			t.Errorf("nothing is called %q, and something points to it", id)
		}
	}
}

// wantNamedDrawings wants words for each drawing.
func wantNamedDrawings(t *testing.T, doc *html.Node) {
	t.Helper()
	for _, svg := range elements(doc, atom.Svg) {
		title, desc := svg.FirstChild, svg.FirstChild.NextSibling
		if attributeOf(svg, "role") != "img" || title.Data != "title" || desc.Data != "desc" || textIn(title) == "" || textIn(desc) == "" {
			t.Error("a drawing has no title or no description")
		}
	}
}

// wantSelfContained wants nothing that is loaded or run but the page's own script.
func wantSelfContained(t *testing.T, doc *html.Node) {
	t.Helper()
	foreign := map[string]bool{"img": true, "image": true, "iframe": true, "object": true, "embed": true, "link": true, "base": true, "form": true, "use": true, "foreignObject": true}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if foreign[n.Data] {
			t.Errorf("the page holds a <%s>", n.Data)
		}
		for _, a := range n.Attr {
			switch key := strings.ToLower(a.Key); {
			case strings.HasPrefix(key, "on"), key == "style", key == "src", key == "srcset":
				t.Errorf("<%s> has the attribute %s=%q", n.Data, a.Key, a.Val)
			case strings.HasSuffix(key, "href") && strings.Contains(a.Val, ":"):
				t.Errorf("<%s> leads away, to %q", n.Data, a.Val)
			}
		}
	}
	for kind, own := range map[atom.Atom]string{atom.Script: htmlScript, atom.Style: htmlStyle} {
		if all := elements(doc, kind); len(all) != 1 || textIn(all[0]) != own {
			t.Errorf("%d elements <%s>, want the page's own alone", len(all), kind)
		}
	}
}
