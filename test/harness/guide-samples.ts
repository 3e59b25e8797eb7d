import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../kernel/root.js'

/** A fenced block of a page. */
export interface Sample {
  language: string
  code: string
}

/** The fenced blocks of a page of the repository, in order. @param file below the root */
export function samplesIn(file: string): Sample[] {
  const source = readFileSync(join(projectRoot, file), 'utf8')
  return [...source.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => ({
    language,
    code,
  }))
}

/** The fenced blocks of a guide. @param name its file, without the folder and `.md` */
export function blocksOf(name: string): Sample[] {
  return samplesIn(`docs/guides/${name}.md`)
}

/** The first sample of a guide in a language, or the one at that place. @throws Error where there is none */
export function sampleOf(name: string, language: string, at = 0): string {
  const sample = blocksOf(name).filter((block) => block.language === language)[at]
  if (!sample) throw new Error(`${name} has no sample ${at} in ${language}`)
  return sample.code
}
