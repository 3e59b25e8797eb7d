import { userInfo } from 'node:os'
import { createAuditLog, findActsByTime } from './audit-migrations.js'
import { auditLog, subjectsOf, type ActOutcome } from './audit.js'
import { openDatabase } from './database.js'
import { AppError } from './errors.js'
import { createLog, type Logger } from './log.js'
import type { CommandTarget } from './sandbox-file.js'

/** A command that changes something, as the audit log has it. */
export interface AuditedCommand {
  /** The part and the words of the command, such as `tenant key revoke`. */
  operation: string
  /** The tenant that it names; null where it names none. */
  tenantId: string | null
  /** Where its ids are looked for, by their names; nothing else of it is kept. */
  named: object
}

/** The schema that all subgraphs share is there before the product has run for the first time, as far as the log needs it. */
export const AUDIT_MIGRATIONS = [
  { name: '0005-audit-log', statements: createAuditLog },
  { name: '0006-audit-times', statements: findActsByTime },
] as const

/**
 * Runs a command that changes something, once it is written down, and writes down what came of it. Where only that cannot be
 * written, the log of this process says so, and the answer is the command's own: whoever reads a failure does it again.
 * @throws what the command throws; where the log cannot be written nothing is run
 */
export async function runWrittenDown<Answer extends object>(
  { url, clock }: Pick<CommandTarget, 'url' | 'clock'>,
  { operation, tenantId, named }: AuditedCommand,
  command: () => Promise<Answer>,
  log: Logger = createLog('error'),
): Promise<Answer> {
  const options = { url, schema: 'kernel', entities: [], migrations: AUDIT_MIGRATIONS, poolSize: 2 }
  const db = await openDatabase({ ...options, log: createLog('silent') })
  try {
    const audit = auditLog(db, clock)
    const { username } = userInfo()
    const who = { actorKind: 'command_line', actorId: username, actorEmail: null, address: null, agent: null } as const
    const entry = await audit.begin({
      ...who,
      tenantId,
      operation,
      subjects: subjectsOf(named),
      requestId: 'command-line',
    })
    const end = (outcome: ActOutcome): Promise<void> =>
      audit.end(entry, outcome).catch((error: unknown) => {
        log.error({ entry, ...outcome, err: error }, 'the outcome of a command was not written down')
      })
    let answer: Answer
    try {
      answer = await command()
    } catch (error) {
      await end({ outcome: error instanceof AppError ? error.code : 'failed', resultId: null })
      throw error
    }
    const { id } = answer as { id?: unknown }
    await end({ outcome: 'done', resultId: typeof id === 'string' ? id : null })
    return answer
  } finally {
    await db.close()
  }
}
