/**
 * The page is sandboxed, and a sandboxed page has no storage: to look at it throws. The renderer looks at it while it
 * loads, so it gets one that is forgotten with the page.
 */
function forgottenStorage(): Storage {
  const kept = new Map<string, string>()
  return {
    get length() {
      return kept.size
    },
    clear: () => {
      kept.clear()
    },
    getItem: (key) => kept.get(key) ?? null,
    key: (index) => [...kept.keys()][index] ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem: (key, value) => void kept.set(key, value),
  }
}

for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(window, name, { value: forgottenStorage() })
}
