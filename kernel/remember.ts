/**
 * A function that makes a value of a text, and remembers the newest `limit` of them: for what follows from the text alone and
 * takes long to work out. What it throws is not remembered.
 */
export function remembering<Value>(limit: number, make: (text: string) => Value): (text: string) => Value {
  const made = new Map<string, { value: Value }>()
  return (text) => {
    const known = made.get(text)
    if (known) return known.value
    const value = make(text)
    // The first key of a map is the one that was set first.
    const [oldest] = made.keys()
    if (made.size >= limit && oldest !== undefined) made.delete(oldest)
    made.set(text, { value })
    return value
  }
}
