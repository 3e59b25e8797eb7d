import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { atEnd } from './at-end.js'

/** An address that is known before the product listens, as a load balancer's is: providers call back there. */
export interface PublicAddress {
  url: string
  /** From now on it leads to the product there. */
  leadTo: (productUrl: string) => void
}

/** Starts the way, on a free port of loopback. Who comes before it leads anywhere is cut off. */
export async function startPublicAddress(): Promise<PublicAddress> {
  let product: URL | undefined
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    if (!product) {
      client.destroy()
      return
    }
    const upstream = connect(Number(product.port), product.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        client.destroy()
        upstream.destroy()
      })
    }
    client.pipe(upstream).pipe(client)
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  atEnd(() => {
    for (const socket of sockets) socket.destroy()
    return new Promise<void>((resolve) => void server.close(() => resolve()))
  })
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    leadTo: (productUrl) => {
      product = new URL(productUrl)
    },
  }
}
