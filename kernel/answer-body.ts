import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

/** How much of a body's beginning is wanted. */
export interface BodyBeginning {
  firstBytes: number
  /** How long to wait for it behind the headers: who answers a status and lets the body hang has answered. */
  waitMs: number
}

/**
 * What is wanted of an answer's body. The connection can be used again once the body was read to its end; it is closed
 * where the body is longer than `maxResponseBytes`.
 * @returns undefined where nothing is wanted, or where the whole body is and it is too long or breaks off. Never rejects
 */
export async function readBody(
  response: IncomingMessage,
  { readsBody, maxResponseBytes }: { readsBody?: 'whole' | BodyBeginning; maxResponseBytes: number },
): Promise<Buffer | undefined> {
  if (readsBody === 'whole') return readWhole(response, maxResponseBytes)
  const beginning = readsBody && readBeginning(response, readsBody)
  discard(response, maxResponseBytes)
  return beginning
}

async function readWhole(response: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.byteLength
      // Leaving the loop closes the connection.
      if (size > maxBytes) return undefined
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch {
    return undefined
  }
}

/** The text of an answer that fetch has got. @returns undefined where it is longer: what is still to come is canceled then */
export async function readText({ body }: Response, maxBytes: number): Promise<string | undefined> {
  if (!body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of Readable.fromWeb(body as NodeReadableStream) as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** What came of the beginning: as much as is wanted, or the time is over, or no more is to come. */
function readBeginning(response: IncomingMessage, { firstBytes, waitMs }: BodyBeginning): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const end = (): void => {
      clearTimeout(timer)
      response.off('data', take)
      resolve(Buffer.concat(chunks).subarray(0, firstBytes))
    }
    const take = (chunk: Buffer): void => {
      chunks.push(chunk)
      size += chunk.byteLength
      if (size >= firstBytes) end()
    }
    const timer = setTimeout(end, waitMs)
    response.on('data', take)
    response.once('end', end)
    // A body that breaks off has no end.
    response.once('close', end)
  })
}

/** Reads the body to its end, or up to the limit and closes it. */
function discard(response: IncomingMessage, maxBytes: number): void {
  let size = 0
  response.on('data', (chunk: Buffer) => {
    size += chunk.byteLength
    if (size > maxBytes) response.destroy()
  })
  // Status and headers were answered; a body that breaks off, or that the deadline cuts, does not matter.
  response.on('error', () => {})
}
