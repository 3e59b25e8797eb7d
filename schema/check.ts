import { asMarkdown } from './changes.js'
import { changesSince, releases } from './releases.js'

/**
 * Compares the API schema with that of the last release, and prints what changed as Markdown. Fails where a change breaks clients and
 * `accepted-changes.json` has no reason for it.
 */
function check(): void {
  const release = releases().at(-1)
  if (release === undefined) throw new Error('schema/released holds no release')
  const changes = changesSince(release)
  process.stdout.write(asMarkdown(changes, release))
  if (changes.breaking.length + changes.stale.length === 0) return
  process.stderr.write(
    'Each breaking change needs a reason in schema/accepted-changes.json, and each reason a change.\n',
  )
  process.exitCode = 1
}

check()
