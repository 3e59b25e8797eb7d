import { idSource } from '../../../kernel/ids.js'
import type { AuditedAct } from '../../../kernel/audit.js'
import type { Clock } from '../../../kernel/clock.js'
import { executeIn, type Transaction } from '../../../kernel/database.js'

/** What a person does with the own session, which no mutation of the schema tells of. */
export type SessionAct = Pick<AuditedAct, 'operation' | 'tenantId' | 'actorId' | 'actorEmail' | 'subjects'> & {
  isOperator: boolean
  address: string
  agent: string
  /** What came of it; `done` where left out. */
  outcome?: string
}

/** Writes an act down as a part of the transaction in which it is done: neither is there without the other. */
export type WriteAct = (em: Transaction, act: SessionAct) => Promise<void>

const INSERT = `with entry as (insert into kernel.audit_entry
    (id, at, tenant_id, actor_kind, actor_id, actor_email, operation, subjects, address, agent, request_id)
    values (?, ?::timestamptz, ?, ?, ?, ?, ?, ?::jsonb, ?, ?, 'console') returning id, at)
  insert into kernel.audit_outcome (entry_id, at, outcome) select id, at, ? from entry`

export function actWriter(clock: Clock): WriteAct {
  const newId = idSource(clock.now)
  return async (em, { operation, tenantId, actorId, actorEmail, isOperator, subjects, address, agent, outcome }) => {
    const who = [tenantId, isOperator ? 'operator' : 'person', actorId, actorEmail]
    const what = [operation, JSON.stringify(subjects), address, agent]
    await executeIn(em, INSERT, [newId(), clock.now().toISOString(), ...who, ...what, outcome ?? 'done'])
  }
}
