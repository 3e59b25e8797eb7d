import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { describe, expect, it } from 'vitest'
import { projectRoot } from '../kernel/root.js'
import { asMarkdown, schemaChanges } from './changes.js'
import { changesBetween, releases } from './releases.js'

const released = buildSchema(`
  type Query { payment(id: ID!): Payment, orders(first: Int = 100): [String!] }
  type Payment { id: ID!, status: Status!, note: String }
  enum Status { OPEN PAID }
`)
const current = buildSchema(`
  type Query { payment(id: ID!): Payment, orders(first: Int = 20): [String!], node(id: ID!): Payment }
  type Payment { id: ID!, status: Status, fee: String }
  enum Status { OPEN PAID LATE }
  type Fee { id: ID! }
`)

describe('the changes since a release', () => {
  it('are breaking, dangerous and safe', () => {
    expect(schemaChanges(released, current, [])).toEqual({
      breaking: ['Payment.note was removed.', 'Payment.status changed type from Status! to Status.'],
      accepted: [],
      dangerous: [
        'LATE was added to enum type Status.',
        'Query.orders arg first has changed defaultValue from 100 to 20.',
      ],
      safe: ['Fee was added.', 'Query.node was added.', 'Payment.fee was added.'],
      stale: [],
    })
  })

  it('are accepted by their sentence, and a reason without a change is told', () => {
    const accepted = [
      { change: 'Payment.note was removed.', reason: 'Nobody wrote one.' },
      { change: 'Payment.status changed type from Status! to Status.', reason: 'Another subgraph answers it.' },
      { change: 'Order.x was removed.', reason: 'Of old.' },
    ]
    const changes = schemaChanges(released, current, accepted)
    expect(changes.breaking).toEqual([])
    expect(changes.accepted.map(({ reason }) => reason)).toEqual(['Nobody wrote one.', 'Another subgraph answers it.'])
    expect(changes.stale).toEqual(['Order.x was removed.'])
    expect(asMarkdown(changes, '1.0.0')).toContain(
      '### Breaking, with a reason (2)\n\n- Payment.note was removed. Nobody wrote one.\n',
    )
  })

  it('are accepted by a pattern of one name each, which takes no other change', () => {
    const before = buildSchema(`
      type Query { payment: Payment }
      type Mutation { pay(id: ID!): Payment!, refund(id: ID!): Payment!, cancel(id: ID!): Payment!, list: [Payment!]! }
      type Payment { id: ID! }
    `)
    const after = buildSchema(`
      type Query { payment: Payment }
      type Mutation { pay(id: ID!): PayPayload, refund(id: ID!, reason: String!): RefundPayload, list: ListPayload }
      type Payment { id: ID! }
      type PayPayload { payment: Payment }
      type RefundPayload { payment: Payment }
      type ListPayload { payment: Payment }
    `)
    const accepted = [{ change: 'Mutation.* changed type from *! to *Payload.', reason: 'Each has a payload.' }]
    const changes = schemaChanges(before, after, accepted)
    expect(changes.accepted.map(({ change }) => change)).toEqual([
      'Mutation.pay changed type from Payment! to PayPayload.',
      'Mutation.refund changed type from Payment! to RefundPayload.',
    ])
    expect(changes.breaking).toEqual([
      'Mutation.cancel was removed.',
      'A required arg reason on Mutation.refund was added.',
      'Mutation.list changed type from [Payment!]! to ListPayload.',
    ])
    expect(changes.stale).toEqual([])
  })

  it('of nothing are none', () => {
    expect(asMarkdown(schemaChanges(released, released, []), '1.0.0')).toBe('## API schema since 1.0.0\n\nNo change.\n')
  })
})

describe('the releases', () => {
  it('have the version of the package as the last one, which the changes since are held to', () => {
    const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')) as { version: string }
    expect(releases().at(-1)).toBe(version)
  })

  it('broke nothing of the one before without a reason', () => {
    const all = releases()
    for (const [index, release] of all.slice(1).entries())
      expect(changesBetween(all[index] ?? '', release).breaking, release).toEqual([])
  })
})
