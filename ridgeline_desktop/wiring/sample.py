"""Opens the sample shop in a throwaway home: its API, its past, and its jobs started in-app."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ridgeline_desktop.core.runs import Actor
from ridgeline_desktop.core.settings import Settings
from ridgeline_desktop.demo.sample_shop import lay_out
from ridgeline_desktop.demo.seeding import seed
from ridgeline_desktop.demo.shop_api import ShopApi
from ridgeline_desktop.host.folders import open_folders
from ridgeline_desktop.host.run_files import DiskRunLogs
from ridgeline_desktop.services.desk import SampleShop
from ridgeline_desktop.wiring.headless import DiskStores, open_desk, own_actor
from ridgeline_desktop.wiring.in_app import in_app_program


@contextmanager
def open_sample_shop() -> Iterator[SampleShop]:
    """The sample shop, open until the end of the block; then its home is removed."""
    home = Path(tempfile.mkdtemp(prefix="ridgeline-demo-")).resolve()
    api = ShopApi(fulfilled_until=5047)
    api.break_it()
    api.start()
    try:
        lay_out(home, python=sys.executable, api_address=api.address)
        folders = open_folders(str(home))
        desk = open_desk(str(home), via="demo", in_app_only=True)
        shop = desk.jobs.look()
        actor = own_actor(Settings(), via="demo")
        with DiskStores(folders=folders, clock=desk.clock).writing() as store:
            seed(
                store,
                shop.jobs(),
                zone=shop.zone,
                now=desk.clock.now(),
                actor=Actor(name="Sam", host=actor.host, via="demo"),
                log_path=DiskRunLogs(folders.in_state("logs")).path,
                checkpoint=folders.in_state("checkpoints", "order-sync.json"),
            )
        desk.scheduling.register(())
        yield SampleShop(
            desk=desk,
            home=str(home),
            status_page=f"{api.address}/status",
            start_jobs=lambda: in_app_program(str(home)),
            break_it=api.break_it,
            mend=api.mend,
            is_broken=lambda: api.snapshot().is_broken,
        )
    finally:
        api.stop()
        shutil.rmtree(home, ignore_errors=True)
