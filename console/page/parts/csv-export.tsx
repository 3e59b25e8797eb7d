import { Button, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useClient, type AnyVariables } from 'urql'
import { byId, type GraphDocument } from '../graph/document.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from './refusal.js'

/** A page of a list. */
interface Page<Node> {
  edges: readonly { node: Node }[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

interface CsvExportProps<Result, Variables, Node> {
  fileName: string
  /** The first line. */
  heading: string
  document: GraphDocument<Result, Variables>
  /** What is asked, but for the page. */
  variables: Omit<Variables, 'first' | 'after'>
  /** @returns null where the answer has no list */
  pageOf: (answer: Result) => Page<Node> | null
  /** A node as a line of CSV. */
  lineOf: (node: Node) => string
}

const PAGE_SIZE = 100
const LINES_MAX = 10_000

/** Reads all pages of a list, one behind the other, and saves them as a file. Of a page its lines alone are kept. */
export function CsvExport<Result, Variables, Node>(props: CsvExportProps<Result, Variables, Node>): ReactNode {
  const { fileName, heading, document, variables, pageOf, lineOf } = props
  const t = useText()
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [isCut, setCut] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const read = async (after: string | null): Promise<Page<Node>> => {
    const asked = { ...variables, first: PAGE_SIZE, after } as AnyVariables
    const answer = await client.query<Result>(byId(document), asked, { requestPolicy: 'network-only' }).toPromise()
    const page = answer.data && pageOf(answer.data)
    if (!page) throw new Error(answer.error?.message ?? 'there is no list')
    return page
  }
  const go = async (): Promise<void> => {
    setBusy(true)
    setFailed(false)
    try {
      const lines = [heading]
      let after: string | null = null
      do {
        const { edges, pageInfo } = await read(after)
        lines.push(...edges.map(({ node }) => lineOf(node)))
        after = pageInfo.hasNextPage ? pageInfo.endCursor : null
      } while (after !== null && lines.length <= LINES_MAX)
      setCut(after !== null)
      save(fileName, lines)
    } catch {
      // A part of a list would look like the whole.
      setFailed(true)
    }
    setBusy(false)
  }
  return (
    <>
      <Button variant="default" loading={isBusy} onClick={() => void go()} data-test="export">
        {t.statement.export}
      </Button>
      {isCut && <Text role="status">{t.statement.cut}</Text>}
      {hasFailed && <Refusal refused={{ code: 'UNREACHABLE', message: '' }} />}
    </>
  )
}

function save(fileName: string, lines: string[]): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob(lines, { type: 'text/csv' }))
  link.download = fileName
  link.click()
  URL.revokeObjectURL(link.href)
}
