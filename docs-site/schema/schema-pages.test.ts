import { beforeEach, describe, expect, it } from 'vitest'
import { startHarness } from '../../test/harness/harness.js'

const { rest, clock } = await startHarness()
const look = (path: string) => rest('GET', path)
const plan = (document: string) => look(`/schema/plan?${new URLSearchParams({ document })}`)
/** A page without its tags, and with single spaces. */
const textIn = (page: string): string =>
  page
    .slice(page.indexOf('<main>'))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')

describe('the pages of the schema', () => {
  it('tell without a key who has what, and run no script', async () => {
    const { status, headers, text } = await look('/schema')
    expect(status).toBe(200)
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(text).not.toMatch(/<script|<link|src="http/)
    for (const subgraph of ['accounts', 'kyc', 'orders', 'payments', 'yield'])
      expect(text).toContain(`id="${subgraph}"`)
    expect(text).toContain('<a href="/schema/types/Mutation#createOrder">createOrder</a>')
    expect(textIn(text)).toMatch(/Payment id kyc , orders , payments accounts/)
  })

  it('name for each field who answers it, and what that takes', async () => {
    const { text } = await look('/schema/types/Payment')
    expect(textIn(text)).toMatch(/payerVerification KycRecord kyc with payerEmail payerWallet/)
    expect(textIn(text)).toMatch(/payerEmail EmailAddress named by kyc , payments/)
    expect((await look('/schema/types/Nothing')).status).toBe(404)
    expect((await look('/schema/types/join__Graph')).status).toBe(404)
  })

  it('tell what each value of an enum and each argument of a field is', async () => {
    expect(textIn((await look('/schema/types/PaymentStatus')).text)).toMatch(/Value What it is REGISTERED [A-Z]/)
    expect(textIn((await look('/schema/types/Query')).text)).toMatch(
      /payments PaymentConnection payments .* first: Int 1 to 100/,
    )
    expect(textIn((await look('/schema/types/Mutation')).text)).toMatch(/overlapHours: Int [^ ]/)
  })

  it('have no link within themselves that leads nowhere', async () => {
    const pages = new Map<string, string>()
    const open = ['/schema']
    for (let link = open.pop(); link !== undefined; link = open.pop()) {
      const [path = '', anchor] = link.split('#')
      const known = pages.get(path)
      const text = known ?? (await look(path)).text
      if (anchor !== undefined) expect([link, text.includes(`id="${anchor}"`)]).toEqual([link, true])
      if (known !== undefined) continue
      pages.set(path, text)
      open.push(...[...text.matchAll(/href="(\/schema[^"]*)"/g)].map(([, found = '']) => found))
    }
    expect(pages.size).toBeGreaterThan(300)
  })

  it('mark what no client sees, in the overview and in what is found as in the page of its type', async () => {
    const overview = textIn((await look('/schema')).text)
    expect(overview).toMatch(/Mutation: createOrder [^(]* \(not in the API\) toggleOrder/)
    expect(overview).toMatch(/Query: auditLog [^(]* \(not in the API\) apiKeyStanding/)
    expect(textIn((await look('/schema?q=toggleOrder')).text)).toContain('Mutation.toggleOrder (not in the API)')
    expect(textIn((await look('/schema?q=createOrder')).text)).toMatch(/Mutation\.createOrder (?!\(not)/)
    expect(textIn((await look('/schema/types/Mutation')).text)).toMatch(/toggleOrder .{0,400}\(not in the API\)/)
  })

  it('show the code of descriptions and reasons as code', async () => {
    for (const path of ['/schema/changes?from=0.1.3', '/schema/types/Query', '/schema/types/Payment'])
      expect([path, (await look(path)).text.match(/[^\n]*`[^\n]*/)?.[0]]).toEqual([path, undefined])
    expect((await look('/schema/changes?from=0.1.3')).text).toMatch(/<code>[^<]+<\/code>/)
  })

  it('find types, fields and words, and escape what was asked', async () => {
    expect((await look('/schema?q=payerVerification')).text).toContain('/schema/types/Payment#payerVerification')
    for (const [query, link] of [
      ['REGISTERED', 'PaymentStatus#REGISTERED'],
      ['overlapHours', 'Mutation#rotateWebhookSecret.overlapHours'],
      ['begins with it small capital letters', 'Query#tenants.search'],
    ] as const) {
      const { text } = await look(`/schema?q=${encodeURIComponent(query)}`)
      expect(text).toContain(`href="/schema/types/${link}"`)
      const [path = '', anchor = ''] = link.split('#')
      expect((await look(`/schema/types/${path}`)).text).toContain(`id="${anchor}"`)
    }
    const [first] = [...(await look('/schema?q=payments')).text.matchAll(/<li><a href="([^"]+)"/g)]
    expect(first?.[1]).not.toContain('.')
    expect((await look('/schema?q=%3Cscript%3E')).text).not.toContain('<script')
  })

  it('compare a release with what is served, with the reason for each change that breaks', async () => {
    const { text } = await look('/schema/changes?from=0.1.3')
    expect(text).toMatch(/<h2>Breaking, with a reason \(\d+\)<\/h2>/)
    expect(text).not.toContain('<h2>Breaking (')
    const same = await look('/schema/changes?from=current&to=current')
    expect(same.text).toContain('Nothing.')
  })

  it('name the parameter that is no version', async () => {
    for (const [query, parameter] of [
      ['from=9&to=current', 'from'],
      ['from=0.1.3&to=x', 'to'],
      ['from=../../package', 'from'],
    ]) {
      const { status, text } = await look(`/schema/changes?${query}`)
      expect([query, status]).toEqual([query, 404])
      expect(textIn(text)).toContain(`${parameter} has to be one of 0.1`)
      expect(text).not.toContain('package')
    }
    expect((await look('/schema/changes?from=&to=')).status).toBe(200)
  })
})

describe('the plan of an operation', () => {
  // The budget of the address is whole again.
  beforeEach(() => {
    clock.advance(60_000)
  })

  it('names each fetch in its order, and what the operation costs', async () => {
    const [, example = ''] = /<textarea[^>]*>\n?([^<]*)</.exec((await look('/schema/plan')).text) ?? []
    const { status, text } = await plan(example)
    expect(status).toBe(200)
    expect(textIn(text)).toMatch(
      /1 payments the operation&rsquo;s root 2 (?:orders|kyc) the objects at payments\.edges\.@\.node/,
    )
    expect(textIn(text)).toContain('3 fetches through the gateway.')
    expect(textIn(text)).toMatch(/Objects it may answer \d\d 20000/)
    expect(text).toContain('Flatten(path:')
  })

  it('plans none that stands in conditions within conditions, which takes long', async () => {
    const links = Array.from({ length: 4 }, (_, index) => {
      const both = `...A${index + 1} @skip(if: $f${index}) ... @include(if: $f${index}) { ...A${index + 1} }`
      return `fragment A${index} on Payment { order { active } ${index < 3 ? both : ''} }`
    })
    const flags = [0, 1, 2].map((index) => `$f${index}: Boolean = true`).join(', ')
    const nested = `query (${flags}) { payment(id: "x") { ...A0 ... @skip(if: $f0) { ...A0 } } } ${links.join(' ')}`
    const { status, text } = await plan(nested)
    expect([status, textIn(text)]).toEqual([400, expect.stringContaining('more than 40 @skip and @include') as string])
    const plain = `query (${flags}) { payment(id: "x") { id @skip(if: $f0) order @include(if: $f1) { active @skip(if: $f2) } } }`
    expect((await plan(plain)).status).toBe(200)
  })

  it('says where one subgraph answers alone', async () => {
    expect(textIn((await plan('{ account { name } }')).text)).toContain('The subgraph accounts answers alone')
  })

  it.each([
    ['{ nothing }', 'Cannot query field'],
    ['{', 'Syntax Error'],
    ['query A { account { name } } query B { account { name } }', 'exactly one operation'],
    ['fragment F on Account { name }', 'F&#34; is never used'],
    [
      `{ ${Array.from({ length: 30 }, (_, index) => `a${index}: account { name }`).join(' ')} }`,
      'number of its root fields',
    ],
    [`{ account { ${'name '.repeat(1_500)} } }`, 'too long: what has more than 6000 characters'],
    [`{ account { ${'name '.repeat(450)} } }`, 'the same field 450 times in one place'],
  ])('is refused for %.40s', async (document, problem) => {
    const { status, text } = await plan(document)
    expect(status).toBe(400)
    expect(text).toContain(problem)
    expect(text).not.toContain('Fetches')
  })

  it('is made of what has as many characters as the browser counts, and tells what it cut to be too long', async () => {
    const lines = `{ account {${'\r\n'.repeat(200)}name } }`
    const document = `${lines} #${'x'.repeat(6_000 - lines.replaceAll('\r\n', '\n').length - 2)}`
    expect((await plan(document)).status).toBe(200)
    const [, most] = /maxlength="(\d+)"/.exec((await look('/schema/plan')).text) ?? []
    const tooLong = await plan(`${document}${'x'.repeat(Number(most) - 6_000)}`)
    expect(tooLong.status).toBe(400)
    expect(tooLong.text).toContain('too long')
  })

  it('is made of what asks about the schema itself, which no subgraph answers', async () => {
    expect(textIn((await plan('{ __schema { queryType { name } } }')).text)).toContain('0 fetches')
  })

  it('is made so often for one address, as planning takes time from payments', async () => {
    const statuses: number[] = []
    while (statuses.length < 21) statuses.push((await plan('{ account { name } }')).status)
    expect(new Set(statuses.slice(0, 20))).toEqual(new Set([200]))
    expect(statuses.at(-1)).toBe(429)
    expect((await look('/schema')).status).toBe(200)
    clock.advance(60_000)
    expect((await plan('{ account { name } }')).status).toBe(200)
  })
})

describe('a search of the schema', () => {
  it('is made so often for one address, whatever the question costs', async () => {
    let answered = 0
    while (answered < 1_000 && (await look('/schema?q=e+t+a+o+i')).status === 200) answered += 1
    expect(answered).toBeGreaterThanOrEqual(60)
    expect(answered).toBeLessThan(1_000)
    expect((await look('/schema')).status).toBe(200)
    clock.advance(60_000)
    expect((await look('/schema?q=refund')).status).toBe(200)
  })
})
