import type { Clock } from './clock.js'
import { run, type Database } from './database.js'
import { idSource } from './ids.js'
import type { Caller } from './tenant.js'

/** Who acts: people, the deployment's operators among them, keys, and who runs a command on the deployment's machine. */
export type ActorKind = 'person' | 'operator' | 'key' | 'command_line'

/** One act, as it is written down before it is done: with ids, and with nothing that is secret or about payers. */
export interface AuditedAct {
  /** Null for the deployment itself. */
  tenantId: string | null
  actorKind: ActorKind
  /** The id of the person or of the key; the name of who runs a command. */
  actorId: string
  actorEmail: string | null
  /** The mutation, or the words of the command. */
  operation: string
  /** The ids that were given, by their names. */
  subjects: Readonly<Record<string, string>>
  /** From where: the address, and what the browser calls itself; null where it is not known. */
  address: string | null
  agent: string | null
  requestId: string
}

/** What came of an act: `done`, or the error's code. */
export interface ActOutcome {
  outcome: string
  /** The id of what was made. */
  resultId: string | null
}

/** Writes acts down. */
export interface AuditLog {
  /** @returns the id of the entry. @throws where it could not be written: the act is not to be done then */
  begin: (act: AuditedAct) => Promise<string>
  end: (entryId: string, outcome: ActOutcome) => Promise<void>
}

const BEGIN = {
  name: 'audit_begin',
  text: `insert into kernel.audit_entry
    (id, at, tenant_id, actor_kind, actor_id, actor_email, operation, subjects, address, agent, request_id)
    values ($1, $2::timestamptz, $3, $4, $5, $6, $7, $8::jsonb, $9, $10, $11)`,
}
const END = {
  name: 'audit_end',
  text: 'insert into kernel.audit_outcome (entry_id, at, outcome, result_id) values ($1, $2::timestamptz, $3, $4)',
}

/** The audit log, written over the connections of one subgraph to the database of all. */
export function auditLog({ pool }: Pick<Database, 'pool'>, clock: Clock): AuditLog {
  const newId = idSource(clock.now)
  return {
    begin: async (act) => {
      const { tenantId, actorKind, actorId, actorEmail, operation, subjects, address, agent, requestId } = act
      const id = newId()
      const what = [operation, JSON.stringify(subjects), address, agent, requestId]
      await run(pool, BEGIN, [id, clock.now().toISOString(), tenantId, actorKind, actorId, actorEmail, ...what])
      return id
    },
    end: async (entryId, { outcome, resultId }) => {
      await run(pool, END, [entryId, clock.now().toISOString(), outcome, resultId])
    },
  }
}

/** Who a caller is to the log, and from where. */
export function actorOf({
  tenantId,
  keyId,
  person,
}: Caller): Pick<AuditedAct, 'tenantId' | 'actorKind' | 'actorId' | 'actorEmail' | 'address' | 'agent'> {
  if (!person) return { tenantId, actorKind: 'key', actorId: keyId, actorEmail: null, address: null, agent: null }
  return {
    tenantId,
    actorKind: person.role === 'operator' ? 'operator' : 'person',
    actorId: person.id,
    actorEmail: person.email,
    address: person.from?.address ?? null,
    agent: person.from?.agent ?? null,
  }
}

/** What an id may look like: texts that people write, and codes, are none. */
const ID_FORM = /^[\w:-]{1,128}$/
const SUBJECTS_MAX = 20
/** Under which names ids are given. `audit-subjects.test.ts` says of the whole schema that these are all. */
const ID_NAME = /^(id|orderCode|transaction)$|Id$/

/**
 * The ids among the arguments of a mutation, by their names, however deep. Nothing else of what was
 * given is kept, so neither secrets nor anything about a payer gets into the log.
 */
export function subjectsOf(args: object, path = ''): Record<string, string> {
  const found: [string, string][] = []
  for (const [name, value] of Object.entries(args) as [string, unknown][]) {
    const at = path === '' ? name : `${path}.${name}`
    if (typeof value === 'string' && ID_NAME.test(name) && ID_FORM.test(value)) found.push([at, value])
    else if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      found.push(...Object.entries(subjectsOf(value, at)))
    }
  }
  return Object.fromEntries(found.slice(0, SUBJECTS_MAX))
}
