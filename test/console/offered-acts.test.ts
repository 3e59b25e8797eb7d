import { describe, expect, it } from 'vitest'
import type { Role } from '../../kernel/tenant.js'
import { noBrowser, usesBrowser } from '../harness/browser.js'
import { openAs } from '../harness/console-page.js'
import { startHarness } from '../harness/harness.js'

const harness = await startHarness()
const { tenant } = harness
usesBrowser()

const order = await tenant.createOrder({ payment_method_allowed: { pixcrypto: true } })
const payment = await tenant.register({ order_code: order })
await harness.hooks.told(payment)

/** What each page offers at most, and what it shows once it has come. */
const PAGES = [
  { path: '', shows: 'payments', acts: ['nav-audit'] },
  { path: `/payments/${payment}`, shows: 'history', acts: ['cancel-payment'] },
  { path: '/orders', shows: 'orders', acts: ['new-order', 'make-payment'] },
  { path: '/webhooks', shows: 'endpoint-list', acts: ['change-address', 'new-secret', 'send-test', 'add-endpoint'] },
  { path: '/keys', shows: 'keys', acts: ['new-key', 'revoke-key'] },
  { path: '/people', shows: 'people', acts: ['invite', 'change-role', 'remove'] },
  { path: '/branding', shows: 'branding-name', acts: ['branding-save'] },
  { path: '/settings', shows: 'tolerance', acts: ['tolerance-save'] },
] as const
type Act = (typeof PAGES)[number]['acts'][number] | 'replay'

const OF_OWNERS: readonly Act[] = ['invite', 'change-role', 'remove']
const ALL: readonly Act[] = [...PAGES.flatMap(({ acts }) => [...acts]), 'replay']
const OFFERED: Readonly<Record<Role, readonly Act[]>> = {
  owner: ALL,
  developer: ALL.filter((act) => !OF_OWNERS.includes(act)),
  support: ['replay'],
  viewer: [],
}

describe.skipIf(noBrowser)(`what the console offers${noBrowser ? ` (${noBrowser})` : ''}`, () => {
  it.each(Object.entries(OFFERED))(
    'to %s is what the role may do, and nothing that the server would refuse',
    async (role, offered) => {
      const opened = await openAs(harness, `${role}@offered.example`, '', { role: role as Role })
      const { part, goTo, assertClean } = opened
      await part('tenant-title').waitFor()
      const found: Act[] = []
      for (const { path, shows, acts } of PAGES) {
        await goTo(path)
        await part(shows).first().waitFor()
        for (const act of acts) if ((await part(act).count()) > 0) found.push(act)
      }
      await goTo('/webhooks')
      await part('open-delivery').first().click()
      await part('delivery').waitFor()
      if ((await part('replay').count()) > 0) found.push('replay')
      expect(found).toEqual(offered)
      assertClean()
    },
  )
})
