import { join } from 'node:path'
import { loadBuiltFiles, type BuiltFiles } from '../gateway/built-files/load-built-files.js'
import { projectRoot } from '../kernel/root.js'
import { pageStyles, type PageStyle } from './page-style.js'

/** The scripts and the style of the page, as `npm run build` has made them. */
export interface PageAssets {
  /** The path of the script that the document names. */
  script: string
  /** The style that stands in the document, with a tenant's colour. */
  styleOf: (accent: string | null) => PageStyle
  mount: BuiltFiles['mount']
}

/**
 * Reads the built page into memory.
 * @param folder where the build is
 * @throws Error where it was not built
 */
export function loadAssets(folder = join(projectRoot, 'dist', 'page')): PageAssets {
  const { pathOf, textOf, mount } = loadBuiltFiles(folder, '/checkout/')
  return { script: pathOf('client.tsx'), styleOf: pageStyles(textOf('style.css').trim()), mount }
}
