import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream as NodeReadableStream } from 'node:stream/web'

/** How much of a body's beginning is wanted. */
export interface BodyBeginning {
  firstBytes: number
  /** How long the body may take behind the headers: who answers a status and lets the body hang has answered. */
  waitMs: number
}

/**
 * What is wanted of an answer's body. The connection can be used again once the body was read to its end; it is closed
 * where the body is longer than `maxResponseBytes`. Where something is wanted, one of both has happened when it is there, so that
 * nobody has connections open beyond the requests that are counted for him.
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

/** What came of the beginning, once no more of the body is to come; in time, as the connection is closed then. */
function readBeginning(response: IncomingMessage, { firstBytes, waitMs }: BodyBeginning): Promise<Buffer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    let size = 0
    const timer = setTimeout(() => response.destroy(), waitMs)
    const end = (): void => {
      clearTimeout(timer)
      resolve(Buffer.concat(chunks).subarray(0, firstBytes))
    }
    response.on('data', (chunk: Buffer) => {
      if (size < firstBytes) chunks.push(chunk)
      size += chunk.byteLength
    })
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
