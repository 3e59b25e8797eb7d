import { Button, Text } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useClient, type AnyVariables } from 'urql'
import { byId, type GraphDocument } from '../graph/document.js'
import { useText } from '../messages/use-text.js'
import { Refusal } from './refusal.js'

/** A page of a list, as lines of CSV. */
interface CsvPage {
  lines: readonly string[]
  /** The cursor of what comes next; null on the last page. */
  next: string | null
}

interface CsvExportProps<Result, Variables> {
  fileName: string
  /** The first line. */
  heading: string
  document: GraphDocument<Result, Variables>
  /** What is asked, but for the page. */
  variables: Omit<Variables, 'first' | 'after'>
  /** @returns null where the answer has no list */
  pageOf: (answer: Result) => CsvPage | null
}

const PAGE_SIZE = 100
const LINES_MAX = 10_000

/** Reads all pages of a list, one behind the other, and saves them as a file. Of a page its lines alone are kept. */
export function CsvExport<Result, Variables>(props: CsvExportProps<Result, Variables>): ReactNode {
  const { fileName, heading, document, variables, pageOf } = props
  const t = useText()
  const client = useClient()
  const [isBusy, setBusy] = useState(false)
  const [isCut, setCut] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const read = async (after: string | null): Promise<CsvPage> => {
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
        const page = await read(after)
        lines.push(...page.lines)
        after = page.next
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
