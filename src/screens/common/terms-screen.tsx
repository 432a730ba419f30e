import { Legal } from './legal.tsx'

export const TermsScreen = () => <Legal name="terms" title="legal.terms" />
