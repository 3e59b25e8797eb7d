import { expect, it } from 'vitest'
import { codeFor, consoleBrowser } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { mailsTo } from '../harness/mailbox.js'

const harness = await startHarness()

it('the e-mail with a code is in the language of the page that asks, and in English where it says none', async () => {
  const email = 'reader@example.com'
  const browser = consoleBrowser(harness)
  const subjects: (string | undefined)[] = []
  const noteSubject = async (): Promise<void> => void subjects.push((await mailsTo(harness, email)).at(-1)?.subject)
  for (const language of ['pt', 'en', undefined, 'xx']) {
    await browser.post('sign-in', { email, language })
    await noteSubject()
  }
  expect(subjects).toEqual(['O seu código de acesso', ...Array<string>(3).fill('Your sign-in code')])
  await browser.post('sign-in/code', { email, code: await codeFor(harness, email) })
  expect(await browser.post('prove/start', { language: 'pt' })).toMatchObject({ status: 202 })
  const [told] = (await mailsTo(harness, email)).slice(-1)
  expect(told?.subject).toBe('O seu código de confirmação')
  expect(told?.text).toMatch(/^O seu código de confirmação é \d{8}\n\nEle vale por 10 minutos, só no console\./)
  expect(told?.html).toContain('só no console')
})
