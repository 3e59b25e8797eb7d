import { neededOption, readOptions, runCommandLine, UsageError, type CliOutput } from '../../../kernel/command-line.js'
import { openDatabase } from '../../../kernel/database.js'
import { AUDIT_MIGRATIONS } from '../../../kernel/audit-command.js'
import { createLog } from '../../../kernel/log.js'
import { commandTarget, connectCommand } from '../../../kernel/sandbox-file.js'
import { timeOption } from '../../../kernel/time-option.js'
import { auditEntries, type AuditEntry, type AuditFilter } from '../audit/store.js'
import { loadAccountsEnv } from '../env.js'

const USAGE = `Usage: npm run admin -- audit [--tenant ID] [--from TIME] [--to TIME] [--format jsonl|csv]

  prints what was done, by whom and from where, the newest first: a line for each act. --tenant: in one tenant only.
  --from, --to: of this time and later, before that one; a day is its beginning in UTC`

const OPTIONS = {
  tenant: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
  format: { type: 'string', default: 'jsonl' },
} as const

/** Entries that are read at once. */
const PAGE = 1_000

const COLUMNS = [
  'number',
  'id',
  'at',
  'tenantId',
  'actorKind',
  'actorId',
  'actorEmail',
  'operation',
  'subjects',
  'address',
  'agent',
  'requestId',
  'outcome',
  'resultId',
] as const satisfies readonly (keyof AuditEntry)[]

/** `npm run admin -- audit …`: exports the audit log; prints and returns what `runCommandLine` says. */
export function auditCli(args: readonly string[], output: CliOutput, environment?: NodeJS.ProcessEnv): Promise<number> {
  return runCommandLine(USAGE, args, output, async () => {
    const values = readOptions(args, OPTIONS)
    const format = values['format']
    if (format !== 'jsonl' && format !== 'csv') throw new UsageError('--format is jsonl or csv.')
    const search = {
      tenantId: values['tenant'] === undefined ? undefined : neededOption(values, 'tenant'),
      doneFrom: timeOption(values, 'from')?.toISOString(),
      doneBefore: timeOption(values, 'to')?.toISOString(),
    }
    const env = loadAccountsEnv(environment)
    const { url } = await commandTarget(env)
    const options = { url, schema: 'kernel', entities: [], migrations: AUDIT_MIGRATIONS, poolSize: 2 }
    const db = await connectCommand(env, () => openDatabase({ ...options, log: createLog('silent') }))
    try {
      if (format === 'csv') output.out(COLUMNS.join(','))
      const lineOf = format === 'csv' ? csvLine : jsonLine
      for await (const entry of allEntries(auditEntries(db), search)) output.out(lineOf(entry))
    } finally {
      await db.close()
    }
    return undefined
  })
}

async function* allEntries(entries: ReturnType<typeof auditEntries>, filter: AuditFilter): AsyncGenerator<AuditEntry> {
  let before: string | undefined
  do {
    const page = await entries.list({ ...filter, limit: PAGE, before })
    yield* page
    before = page.length === PAGE ? page.at(-1)?.number : undefined
  } while (before !== undefined)
}

function jsonLine(entry: AuditEntry): string {
  return JSON.stringify(Object.fromEntries(COLUMNS.map((column) => [column, entry[column]])))
}

function csvLine(entry: AuditEntry): string {
  return COLUMNS.map((column) => csvField(entry[column])).join(',')
}

/** A field as RFC 4180 has it. What a spreadsheet would run as a formula gets an apostrophe: browsers call themselves what they like. */
function csvField(value: AuditEntry[keyof AuditEntry]): string {
  const text = value === null ? '' : value instanceof Date ? value.toISOString() : textOf(value)
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

function textOf(value: string | Readonly<Record<string, string>>): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
