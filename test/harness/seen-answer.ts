import type { SubgraphResult } from '../../kernel/subgraph.js'

/**
 * What a client sees of an answer, as text: the order of fields counts. Ids, cursors, times, signed links, the reference in a transaction
 * and its gas differ between two that were made anew.
 */
export function seenAnswer(result: SubgraphResult): string {
  return withoutWhatDiffers(JSON.stringify(shown(result), null, 1))
}

/** As `seenAnswer`, where neither the order of fields nor that of errors counts (docs/adr/0060 says why not). */
export function seenInAnyOrder(result: SubgraphResult): string {
  const { data, errors } = shown(result)
  const told = (errors ?? []).map((error) => withoutWhatDiffers(JSON.stringify(sorted(error)))).toSorted()
  return `${withoutWhatDiffers(JSON.stringify(sorted(data ?? null), null, 1))}\n${told.join('\n')}`
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

function withoutWhatDiffers(text: string): string {
  return (
    text
      // A person is prepared by the first of two.
      .replaceAll(/"created": (true|false)/g, '"created": "<first>"')
      .replaceAll(/\/pay\/[\w.-]+/g, '/pay/<link>')
      .replaceAll(/\bc[a-z0-9]{24}\b/g, '<id>')
      // An id as a cursor: 25 letters are 34 of base64, and `c` and the letter after it begin with `Y2` or `Y3`.
      .replaceAll(/"Y[23][\w-]{32}"/g, '"<cursor>"')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
      .replaceAll(/"(gasLimit|maxFeePerGas)": "\d+"/g, '"$1": "<gas>"')
      .replaceAll(/(0xa9059cbb[0-9a-f]{128})[0-9a-f]{64}/g, '$1<reference>')
  )
}
