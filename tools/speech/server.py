"""A speech engine on this machine: the transcription API of OpenAI over faster-whisper.

Arguments: folder of the model, port. Prints "ready <port>" when it accepts requests. Only this machine can reach it.
"""

import io
import json
import os
import select
import socket
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# The model is in the folder: nothing is downloaded.
os.environ["HF_HUB_OFFLINE"] = "1"

import av  # noqa: E402
import numpy  # noqa: E402
from faster_whisper import WhisperModel  # noqa: E402

RATE = 16000
BODY_MAX = 64 * 1024 * 1024
SECONDS_MAX = 660
LANGUAGES = {"zh", "en", "es", "fr", "de", "pt", "it", "ja", "ko"}

model = WhisperModel(sys.argv[1], device="cpu", compute_type="int8", cpu_threads=os.cpu_count() or 2)
# The model uses all processors for one recording.
one_at_a_time = threading.Lock()


class Refused(Exception):
    def __init__(self, status, message):
        super().__init__(message)
        self.status = status


class ClientGone(Exception):
    pass


def form_fields(content_type, body):
    """The fields of a multipart form; the value of a file is its bytes."""
    marker = content_type.partition("boundary=")[2].strip().strip('"').encode()
    if not content_type.startswith("multipart/form-data") or not marker:
        raise Refused(415, "expected multipart/form-data")
    fields = {}
    for part in (b"\r\n" + body).split(b"\r\n--" + marker)[1:-1]:
        head, separator, value = part.partition(b"\r\n\r\n")
        name = head.partition(b'; name="')[2].partition(b'"')[0].decode(errors="replace")
        if separator and name:
            fields[name] = value
    return fields


def decode(recording):
    """The samples of an MP3 or a WAV, as the model expects them.

    The format is given, because the library would also open playlists and many other formats. It stops at a recording that is too long.
    """
    name = "wav" if recording[:4] == b"RIFF" else "mp3"
    resampler = av.AudioResampler(format="s16", layout="mono", rate=RATE)
    samples = []
    length = 0
    with av.open(io.BytesIO(recording), format=name, metadata_errors="ignore") as container:
        for frame in decoded_frames(container):
            if frame is not None:
                # Damaged files have wrong times.
                frame.pts = None
            for part in resampler.resample(frame):
                samples.append(part.to_ndarray().reshape(-1))
                length += len(samples[-1])
            if length > SECONDS_MAX * RATE:
                raise Refused(400, "the recording is too long")
    if length == 0:
        raise Refused(400, "the recording has no sound")
    return numpy.concatenate(samples).astype(numpy.float32) / 32768


def decoded_frames(container):
    """Skips damaged frames; the last one is None, for the rest of the resampler."""
    frames = iter(container.decode(audio=0))
    while True:
        try:
            yield next(frames)
        except av.error.InvalidDataError:
            continue
        except StopIteration:
            break
    yield None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self):
        self.answer(200 if self.path == "/health" else 404, {})

    def do_POST(self):
        self.close_connection = True
        try:
            self.answer(200, self.transcribe())
        except Refused as error:
            self.answer(error.status, {"error": {"message": str(error)}})
        except (ClientGone, ConnectionError, TimeoutError):
            pass

    def transcribe(self):
        # Pages of other sites cannot use the engine.
        if self.headers.get("Origin"):
            raise Refused(403, "not for browsers")
        if self.path != "/v1/audio/transcriptions":
            raise Refused(404, "unknown address")
        length = int(self.headers.get("Content-Length") or 0)
        if not 0 < length <= BODY_MAX:
            raise Refused(413, "the recording is too large")
        body = self.rfile.read(length)
        if len(body) < length:
            raise ClientGone
        fields = form_fields(self.headers.get("Content-Type", ""), body)
        del body
        text = lambda name: fields.get(name, b"").decode(errors="replace")
        language = text("language")
        if language not in LANGUAGES:
            raise Refused(400, "unknown language")
        try:
            audio = decode(fields.get("file", b""))
        except Refused:
            raise
        except Exception as error:
            raise Refused(400, f"the recording cannot be decoded: {type(error).__name__}") from error
        seconds = len(audio) / RATE
        with one_at_a_time:
            self.check_client()
            found, _ = model.transcribe(
                audio,
                language=language,
                initial_prompt=text("prompt") or None,
                # A wrong word must not make all following ones wrong.
                condition_on_previous_text=False,
                # The model invents sentences for silence and noise.
                vad_filter=True,
            )
            segments = []
            for each in found:
                self.check_client()
                segments.append({"id": len(segments), "start": each.start, "end": each.end, "text": each.text})
        return {
            "task": "transcribe",
            "language": language,
            "duration": seconds,
            "text": "".join(each["text"] for each in segments),
            "segments": segments,
        }

    def check_client(self):
        """Ends the work for a cancelled transcription."""
        readable, _, _ = select.select([self.connection], [], [], 0)
        if readable and self.connection.recv(1, socket.MSG_PEEK) == b"":
            raise ClientGone

    def answer(self, status, value):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format, *args):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(sys.argv[2])), Handler)
print(f"ready {server.server_address[1]}", flush=True)
server.serve_forever()
