import { NotHere } from '../../ui/not-here.tsx'

/** Shown for an unknown address. */
export const NotFoundScreen = () => <NotHere title="notFound.title" />
