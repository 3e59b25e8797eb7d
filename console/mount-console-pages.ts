import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { loadBuiltFiles } from '../gateway/built-files/load-built-files.js'
import type { Builds } from '../gateway/built-files/shared-builds.js'
import { projectRoot } from '../kernel/root.js'
import { documentHeaders } from './headers.js'

const BASE = '/console'

/** What the document tells the page about the deployment, and where files of other builds are. */
export interface ConsolePagesDeps {
  isSandbox: boolean
  builds: Builds
}

/**
 * Serves the console: its files by hashed names, and the document at every other path below, so that a link to any of its
 * pages works. The document holds nothing of anybody; what the page shows it asks the graph for.
 * @throws Error where it was not built
 */
export function mountConsolePages(app: FastifyInstance, { isSandbox, builds }: ConsolePagesDeps): void {
  const files = loadBuiltFiles(join(projectRoot, 'dist', 'console-page'), `${BASE}/`)
  const [script, style] = [files.pathOf('client.tsx'), files.pathOf('style.css')]
  files.mount(app, builds)
  const answer = (_request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const nonce = randomBytes(16).toString('base64')
    return reply.headers(documentHeaders(nonce)).send(documentText({ nonce, script, style, isSandbox }))
  }
  app.get(BASE, answer)
  app.get<{ Params: { '*': string } }>(`${BASE}/*`, (request, reply) =>
    /^(?:api|assets)(?:\/|$)/.test(request.params['*']) ? reply.callNotFound() : answer(request, reply),
  )
}

/** @param parts none of them is a stranger's word, so nothing is escaped */
function documentText(parts: { nonce: string; script: string; style: string; isSandbox: boolean }): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="csp-nonce" content="${parts.nonce}">
<meta name="sandbox" content="${parts.isSandbox ? 'yes' : 'no'}">
<title>Console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${parts.style}">
<script type="module" src="${parts.script}"></script>
</head>
<body>
<div id="root"></div>
<noscript>The console needs JavaScript.</noscript>
</body>
</html>
`
}
