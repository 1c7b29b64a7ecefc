package yaml

import (
	"fmt"
	"sort"
	"strings"
)

// DidYouMean is ` (did you mean "click"?)`, the nearest of the known words, or
// "" where none is near.
func DidYouMean(word string, known []string) string {
	if near := Nearest(word, known); near != "" {
		return fmt.Sprintf(" (did you mean %q?)", near)
	}
	return ""
}

// Nearest is the known word with the fewest edits to the given one: at most
// two, and at most half of its letters; "" if none is so near. Of equals the
// first in the alphabet is taken.
func Nearest(word string, known []string) string {
	sorted := append([]string(nil), known...)
	sort.Strings(sorted)
	best, least := "", 3
	for _, k := range sorted {
		n := edits(strings.ToLower(word), strings.ToLower(k))
		if n < least && 2*n <= len([]rune(k)) {
			best, least = k, n
		}
	}
	return best
}

// edits counts insertions, deletions, replacements and swaps of neighbours.
func edits(a, b string) int {
	s, t := []rune(a), []rune(b)
	prev2, prev, cur := make([]int, len(t)+1), make([]int, len(t)+1), make([]int, len(t)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(s); i++ {
		cur[0] = i
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(t)]
}
