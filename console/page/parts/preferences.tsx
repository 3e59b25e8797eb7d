import { Group, NativeSelect, useMantineColorScheme, type MantineColorScheme } from '@mantine/core'
import type { ReactNode } from 'react'
import { LANGUAGES, type Language } from '../messages/language.js'
import { useLanguage, useText } from '../messages/use-text.js'

/** The language and the colours. */
export function Preferences(): ReactNode {
  const t = useText()
  const { language, choose } = useLanguage()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <Group grow gap="xs">
      <NativeSelect
        size="xs"
        aria-label={t.language}
        data-test="language"
        value={language}
        onChange={(event) => choose(event.currentTarget.value as Language)}
        data={Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))}
      />
      <NativeSelect
        size="xs"
        aria-label={t.theme}
        data-test="theme"
        value={colorScheme}
        onChange={(event) => setColorScheme(event.currentTarget.value as MantineColorScheme)}
        data={Object.entries(t.themes).map(([value, label]) => ({ value, label }))}
      />
    </Group>
  )
}
