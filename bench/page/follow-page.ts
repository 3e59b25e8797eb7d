import { request } from 'node:http'
import type { PageView } from '../../checkout/page/view.js'

/** A payment page as a browser holds it: its stream is open. */
export interface FollowedPage {
  /** Does something on the page. @returns its answer; throws where it is refused */
  act: <Answer>(name: string, body: object) => Promise<Answer>
  /** @returns when the page was told that the money is in, by `performance.now()`; rejects where its stream ends before */
  untilMoneyIsIn: () => Promise<number>
  close: () => void
}

/** Opens the page at an address, and follows it. */
export async function followPage(address: string): Promise<FollowedPage> {
  const paid = Promise.withResolvers<number>()
  // Nobody may wait for it yet when the stream breaks.
  paid.promise.catch(() => undefined)
  const opened = Promise.withResolvers<void>()
  const stream = request(
    `${address}/events`,
    { headers: { accept: 'text/event-stream' }, agent: false },
    (response) => {
      let rest = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop() ?? ''
        for (const line of lines.filter((each) => each.startsWith('data: {'))) {
          opened.resolve()
          const { status } = JSON.parse(line.slice('data: '.length)) as PageView
          if (status === 'received' || status === 'paid') paid.resolve(performance.now())
        }
      })
      response.on('close', () => {
        paid.reject(new Error('the stream of the page has ended'))
      })
    },
  )
  stream.on('error', opened.reject)
  stream.end()
  await opened.promise
  return {
    act: async <Answer>(name: string, body: object): Promise<Answer> => {
      const answer = await fetch(`${address}/${name}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      if (!answer.ok) throw new Error(`${name} answered ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as Answer
    },
    untilMoneyIsIn: () => paid.promise,
    close: () => stream.destroy(),
  }
}
