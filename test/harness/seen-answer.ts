import type { SubgraphResult } from '../../kernel/subgraph.js'

/**
 * What a client sees of an answer, as text: the order of fields counts. Ids, cursors, times, signed links, the reference in a transaction
 * and its gas differ between two that were made anew.
 */
export function seenAnswer(result: SubgraphResult): string {
  return withoutIds(withoutTimes(JSON.stringify(shown(result), null, 1)))
}

/**
 * As `seenAnswer`, where neither the order of fields nor that of errors counts (docs/adr/0060 says why not).
 * @param isMade whether what is answered about was made for this answer alone, so that its ids are others than the next one's
 */
export function seenInAnyOrder(result: SubgraphResult, isMade: boolean): string {
  const { data, errors } = shown(result)
  const textOf = (value: unknown): string => {
    const text = withoutTimes(JSON.stringify(sorted(value), null, 1))
    return isMade ? withoutIds(text) : text
  }
  const told = (errors ?? []).map(textOf).toSorted()
  return `${textOf(data ?? null)}\n${told.join('\n')}`
}

function shown({ data, errors }: SubgraphResult) {
  return { data, errors: errors?.map(({ message, path, extensions }) => ({ message, path, extensions })) }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]))
}

/** What differs between two answers about the same: what is made for an answer, and when. */
function withoutTimes(text: string): string {
  return (
    text
      // A person is prepared by the first of two.
      .replaceAll(/"created": (true|false)/g, '"created": "<first>"')
      .replaceAll(/\/pay\/[\w.-]+/g, '/pay/<link>')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"(gasLimit|maxFeePerGas)": "\d+"/g, '"$1": "<gas>"')
      .replaceAll(/(0xa9059cbb[0-9a-f]{128})[0-9a-f]{64}/g, '$1<reference>')
  )
}

function withoutIds(text: string): string {
  return (
    text
      .replaceAll(/\bc[a-z0-9]{24}\b/g, '<id>')
      // An id as a cursor: 25 letters are 34 of base64, and `c` and the letter after it begin with `Y2` or `Y3`.
      .replaceAll(/"Y[23][\w-]{32}"/g, '"<cursor>"')
  )
}
