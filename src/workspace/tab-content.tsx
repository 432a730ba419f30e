import { lazy, Suspense } from 'react'
import { FormattedMessage } from 'react-intl'
import { Link } from 'react-router-dom'
import { VerifyRecord } from '../features/lock/verify-record.tsx'
import { Skeleton } from '../ui/panel.tsx'
import { CalibrationTab } from './panels/calibration-tab.tsx'
import { EvaluationPanel } from './panels/evaluation-panel.tsx'
import { ModelsPanel } from './panels/models-panel.tsx'
import type { Brush } from './query/use-brush.ts'
import type { SliceAnswer } from './query/use-slice.ts'
import type { Tab } from '../../analytics/view/view.ts'
import { useWorkspace } from './state/workspace-context.ts'

interface TabContentProps {
  tab: Tab
  slice: SliceAnswer
  brush: Brush
}

const ConsoleTab = lazy(() => import('./console/console-tab.tsx'))
const LabTab = lazy(() => import('./lab/lab-tab.tsx'))
const OwnTab = lazy(() => import('./own/own-tab.tsx'))

export const TabContent = (props: TabContentProps) => (
  <Suspense fallback={<Skeleton height={480} />}>
    <Content {...props} />
  </Suspense>
)

function Content({ tab, slice, brush }: TabContentProps) {
  const { view, basis, onChange, onFilter } = useWorkspace()
  switch (tab) {
    case 'calibration':
      return <CalibrationTab slice={slice} brush={brush} model={basis.model} onFilter={onFilter} />
    case 'models':
      return <ModelsPanel slice={slice} basis={basis} tuning={view.tuning} />
    case 'seasons':
      return <EvaluationPanel slice={slice} model={basis.model} />
    case 'lab':
      return <LabTab slice={slice} model={basis.model} written={view.lab} onChange={onChange} />
    case 'console':
      return <ConsoleTab model={basis.model} slice={slice} linked={view} onChange={onChange} />
    case 'own':
      return <OwnTab slice={slice} model={basis.model} />
    default:
      return (
        <>
          <VerifyRecord key={JSON.stringify(slice.where)} where={slice.where} model={basis.model} />
          <Link to="/pages/race/ModelCard">
            <FormattedMessage id="model.title" />
          </Link>
        </>
      )
  }
}
