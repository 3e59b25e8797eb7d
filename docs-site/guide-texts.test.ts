import { describe, expect, it } from 'vitest'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../kernel/root.js'
import { EVENT_TYPES } from '../subgraphs/accounts/webhooks/event-types.js'
import { blocksOf } from '../test/harness/guide-samples.js'
import { GUIDE_NAMES } from './guides.js'

const textOf = (name: string): string => readFileSync(join(projectRoot, 'docs', 'guides', `${name}.md`), 'utf8')
const shellOf = (name: string): string =>
  blocksOf(name)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)
    .join('\n')

const others = GUIDE_NAMES.filter((name) => name !== 'first-payment')

describe('a guide, read without the others', () => {
  it.each(others.filter((name) => shellOf(name) !== ''))(
    'links above the first example of %s to what it uses',
    (name) => {
      const [beforeFirst = ''] = textOf(name).split('```sh')
      expect(beforeFirst).toContain('(/docs/first-payment#what-every-example-uses)')
    },
  )

  it.each(GUIDE_NAMES)('deletes in %s each order that it makes, since an account has 20 at most', (name) => {
    const made = shellOf(name).split('/order/create').length - 1
    expect(shellOf(name).split('api DELETE /order/').length - 1).toBe(made)
  })

  it('lists under webhooks every type of event that is sent, and no other', () => {
    const [, list = ''] = /^`data` is the resource.*? Types: (.*?)\n\n/ms.exec(textOf('webhooks')) ?? []
    expect([...list.matchAll(/`([^`]+)`/g)].map(([, type]) => type)).toEqual(EVENT_TYPES)
  })
})
