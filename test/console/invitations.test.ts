import { describe, expect, it } from 'vitest'
import { type ConsoleBrowser, newOwner as ownerOf, signIn } from '../harness/console.js'
import { startHarness } from '../harness/harness.js'
import { mailsTo, refuseNextMail, untilMails } from '../harness/mailbox.js'
import { until } from '../harness/until.js'

const harness = await startHarness()
const DAY_MS = 86_400_000

let count = 0
const newEmail = (): string => `guest${(count += 1)}@example.com`
const newOwner = (name = 'Loja & Filhos') => ownerOf(harness, name)

interface Invited {
  person: { id: string; invitationExpiresAt: string } | null
  errors: { code: string; message: string }[]
}
const PERSON = '{ person { id invitationExpiresAt } errors { code message } }'
async function invite({ browser }: { browser: ConsoleBrowser }, input: object): Promise<Invited> {
  const query = `mutation ($input: InvitePersonInput!) { invitePerson(input: $input) ${PERSON} }`
  const { body, text } = await browser.graphql(query, { input })
  if (!body.data?.['invitePerson']) throw new Error(text)
  return body.data['invitePerson'] as Invited
}
async function resend(browser: ConsoleBrowser, id: string, language?: string): Promise<Invited> {
  const query = `mutation ($id: ID!, $language: InvitationLanguage) { resendInvitation(id: $id, language: $language) ${PERSON} }`
  const { body, text } = await browser.graphql(query, { id, language })
  if (!body.data?.['resendInvitation']) throw new Error(text)
  return body.data['resendInvitation'] as Invited
}
const idOf = ({ person, errors }: Invited): string => person?.id ?? JSON.stringify(errors)
const received = async (browser: ConsoleBrowser) => (await browser.get('session')).body['invitations'] as object[]

describe('an invitation by e-mail', () => {
  it("says who invites to what in the inviter's language, and where to sign in; a known address gets the same", async () => {
    const owner = await newOwner()
    const [stranger, known] = [newEmail(), await newOwner('Other')]
    await invite(owner, { email: stranger, role: 'SUPPORT', language: 'PT' })
    await invite(owner, { email: known.email, role: 'SUPPORT', language: 'PT' })
    const [mail] = await untilMails(harness, stranger, 1)
    expect(mail?.subject).toBe('Você foi convidado para Loja & Filhos')
    for (const part of [
      owner.email,
      'Loja & Filhos',
      'Atendimento',
      `${harness.publicUrl}/console`,
      'O convite termina em',
    ])
      expect(mail?.text).toContain(part)
    expect(mail?.html).toContain('Loja &#38; Filhos')
    // The other one was sent a code before, to sign in.
    const toKnown = await untilMails(harness, known.email, 2)
    expect(toKnown.map(({ subject, text }) => ({ subject, text }))).toContainEqual({
      subject: mail?.subject,
      text: mail?.text,
    })
    const guest = await signIn(harness, stranger)
    expect(await received(guest)).toMatchObject([{ tenantName: 'Loja & Filhos', role: 'support' }])
  })

  it('ends after seven days, and begins anew where it is sent again, in another language', async () => {
    const owner = await newOwner()
    const email = newEmail()
    const id = idOf(await invite(owner, { email, role: 'VIEWER' }))
    const [first] = await untilMails(harness, email, 1)
    expect(first?.text).toContain(`${owner.email} invites you to the account`)
    harness.clock.advance(7 * DAY_MS)
    const again = await signIn(harness, owner.email)
    const guest = await signIn(harness, email)
    expect(await received(guest)).toEqual([])
    const sent = await resend(again, id, 'PT')
    const endsInMs = Date.parse(sent.person?.invitationExpiresAt ?? '') - harness.clock.now().getTime()
    expect(Math.abs(endsInMs - 7 * DAY_MS)).toBeLessThan(60_000)
    expect((await untilMails(harness, email, 3)).at(-1)?.text).toContain('convida você')
    expect(await received(guest)).toMatchObject([{ role: 'viewer' }])
  })

  it('comes also where the mail server fails at first', async () => {
    const owner = await newOwner()
    const email = newEmail()
    await refuseNextMail(harness)
    await invite(owner, { email, role: 'VIEWER' })
    expect(await untilMails(harness, email, 1)).toHaveLength(1)
  })

  it('floods nobody: a day has five to an address, also where it is taken back in between', async () => {
    const owner = await newOwner()
    const email = newEmail()
    const input = { email, role: 'VIEWER' }
    const id = idOf(await invite(owner, input))
    for (let sent = 1; sent < 4; sent += 1) expect((await resend(owner.browser, id)).errors).toEqual([])
    await owner.browser.graphql('mutation ($id: ID!) { removePerson(id: $id) { errors { code } } }', { id })
    const fifth = idOf(await invite(owner, input))
    for (const refused of [await resend(owner.browser, fifth), await invite(owner, input)])
      expect(refused).toMatchObject({ person: null, errors: [{ code: 'INVALID_PARAMETERS' }] })
    expect((await invite(owner, { ...input, email: newEmail() })).errors).toEqual([])
    harness.clock.advance(DAY_MS)
    const tomorrow = await signIn(harness, owner.email)
    expect((await resend(tomorrow, fifth)).errors).toEqual([])
  })

  it('floods nobody, however many tenants ask, and is made all the same: those behind the tenth of a day have no e-mail', async () => {
    const owners = [await newOwner(), await newOwner(), await newOwner('Third')] as const
    const input = { email: newEmail(), role: 'VIEWER' }
    for (const owner of owners.slice(0, 2)) {
      for (let sent = 0; sent < 5; sent += 1) expect((await invite(owner, input)).errors).toEqual([])
    }
    // The third is answered as it is of an address that nobody else invites.
    const unknown = { ...input, email: newEmail() }
    const answersOf = async (guest: typeof input) => {
      const first = await invite(owners[2], guest)
      const others = [await resend(owners[2].browser, idOf(first))]
      for (let asked = 2; asked < 6; asked += 1) others.push(await invite(owners[2], guest))
      return [first, ...others].map(({ person, errors }) => ({ isInvited: person !== null, errors }))
    }
    const answers = await answersOf(input)
    expect(answers.map(({ isInvited }) => isInvited)).toEqual([true, true, true, true, true, false])
    expect(await answersOf(unknown)).toEqual(answers)
    await untilMails(harness, unknown.email, 1)
    const fromThird = async () =>
      (await mailsTo(harness, input.email)).filter(({ subject }) => subject.includes('Third')).length
    expect(await fromThird()).toBe(0)
    const guest = await signIn(harness, input.email)
    expect(await received(guest)).toHaveLength(3)
    harness.clock.advance(DAY_MS)
    const tomorrow = await signIn(harness, owners[2].email)
    expect((await invite({ browser: tomorrow }, input)).errors).toEqual([])
    await until('the third has an e-mail sent', async () => (await fromThird()) === 1)
  })

  it('is not made again by its tenant for a week once it is declined; by another one it is', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const input = { email: newEmail(), role: 'VIEWER' }
    const id = idOf(await invite(owner, input))
    const guest = await signIn(harness, input.email)
    expect((await guest.post('invitations/decline', { id })).status).toBe(200)
    for (const refused of [await invite(owner, input), await resend(owner.browser, id)])
      expect(refused).toMatchObject({ person: null })
    expect(await received(guest)).toEqual([])
    expect((await invite(other, input)).errors).toEqual([])
    harness.clock.advance(7 * DAY_MS)
    const later = await signIn(harness, owner.email)
    expect((await invite({ browser: later }, input)).errors).toEqual([])
  })

  it('is sent again by nobody but its tenant', async () => {
    const [owner, other] = [await newOwner(), await newOwner()]
    const id = idOf(await invite(owner, { email: newEmail(), role: 'VIEWER' }))
    expect(await resend(other.browser, id)).toMatchObject({ person: null, errors: [{ code: 'NOT_FOUND' }] })
  })
})
