import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { en, type Messages } from './en.js'
import type { Language } from './language.js'
import { pt } from './pt.js'

const TEXTS: Readonly<Record<Language, Messages>> = { en, pt }
const REMEMBERED = 'console-language'

interface Chosen {
  language: Language
  choose: (language: Language) => void
}

const Context = createContext<Chosen>({ language: 'en', choose: () => undefined })

/** Gives the texts in the language that the person chose, otherwise in the browser's. */
export function LanguageProvider({ children }: { children: ReactNode }): ReactNode {
  const [language, setLanguage] = useState<Language>(initialLanguage)
  useEffect(() => {
    document.documentElement.lang = language === 'pt' ? 'pt-BR' : 'en'
    document.title = TEXTS[language].title
  }, [language])
  const choose = (chosen: Language): void => {
    localStorage.setItem(REMEMBERED, chosen)
    setLanguage(chosen)
  }
  return <Context value={{ language, choose }}>{children}</Context>
}

export function useLanguage(): Chosen {
  return useContext(Context)
}

export function useText(): Messages {
  return TEXTS[useLanguage().language]
}

function initialLanguage(): Language {
  const remembered = localStorage.getItem(REMEMBERED)
  if (remembered === 'en' || remembered === 'pt') return remembered
  return navigator.language.toLowerCase().startsWith('pt') ? 'pt' : 'en'
}
