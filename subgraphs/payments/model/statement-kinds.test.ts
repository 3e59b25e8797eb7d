import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { statementKind } from './statement-kinds.js'

it('knows the kind of each entry that moves an account of a tenant', () => {
  const entries = ['ledger-entries.ts', 'house-entries.ts'].flatMap((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8').split(/^(?:export )?function /m),
  )
  const ofTenants = entries.filter((text) => /\b(?:TENANT|REFUND_BALANCE)\b/.test(text))
  const kinds = ofTenants.flatMap((text) =>
    [...text.matchAll(/(?:move\(|entry: )[`']([a-z-]+)/g)].map(([, kind = '']) => kind),
  )
  expect(kinds.length).toBeGreaterThan(15)
  expect(kinds.filter((kind) => statementKind(kind) === 'other')).toEqual([])
})
