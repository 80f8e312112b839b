"""The messages and calls of Terraform's plugin protocol 6 that the stand-in uses.

Field numbers are those of the protocol (terraform, docs/plugin-protocol). Fields that are not used are left out, as
protobuf skips unknown fields. Maps are written as lists of key and value and enumerations as numbers; both have the
same bytes.
"""

from functools import cache
from typing import Any

from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass

SERVICE = "tfplugin6.Provider"
PACKAGE = "standin"

#: message → its fields, each `name:type=number`; a star makes it a list
MESSAGES = {
    "DynamicValue": "msgpack:bytes=1 json:bytes=2",
    "Step": "attribute_name:string=1 element_key_string:string=2 element_key_int:int64=3",
    "AttributePath": "steps:Step*=1",
    "Diagnostic": "severity:int32=1 summary:string=2 detail:string=3 attribute:AttributePath=4",
    "RawState": "json:bytes=1",
    "Attribute": (
        "name:string=1 type:bytes=2 required:bool=4 optional:bool=5 computed:bool=6 sensitive:bool=7 write_only:bool=11"
    ),
    "NestedBlock": "type_name:string=1 block:Block=2 nesting:int32=3 min_items:int64=4 max_items:int64=5",
    "Block": "version:int64=1 attributes:Attribute*=2 block_types:NestedBlock*=3",
    "Schema": "version:int64=1 block:Block=2",
    "NamedSchema": "key:string=1 value:Schema=2",
    "ServerCapabilities": "plan_destroy:bool=1 get_provider_schema_optional:bool=2",
    "Empty": "",
    "TypeName": "type_name:string=1",
    "Metadata": "server_capabilities:ServerCapabilities=1 data_sources:TypeName*=3 resources:TypeName*=4",
    "Schemas": (
        "provider:Schema=1 resource_schemas:NamedSchema*=2 data_source_schemas:NamedSchema*=3 provider_meta:Schema=5 "
        "server_capabilities:ServerCapabilities=6"
    ),
    "ProviderConfig": "config:DynamicValue=1",
    "ConfigureRequest": "terraform_version:string=1 config:DynamicValue=2",
    "ResourceConfig": "type_name:string=1 config:DynamicValue=2",
    "Diagnostics": "diagnostics:Diagnostic*=1",
    "ProviderValidated": "diagnostics:Diagnostic*=2",
    "UpgradeRequest": "type_name:string=1 version:int64=2 raw_state:RawState=3",
    "Upgraded": "upgraded_state:DynamicValue=1 diagnostics:Diagnostic*=2",
    "ReadRequest": "type_name:string=1 current_state:DynamicValue=2 private:bytes=3",
    "ReadAnswer": "new_state:DynamicValue=1 diagnostics:Diagnostic*=2 private:bytes=3",
    "PlanRequest": (
        "type_name:string=1 prior_state:DynamicValue=2 proposed_new_state:DynamicValue=3 config:DynamicValue=4"
    ),
    "Planned": (
        "planned_state:DynamicValue=1 requires_replace:AttributePath*=2 planned_private:bytes=3 "
        "diagnostics:Diagnostic*=4 legacy_type_system:bool=5"
    ),
    "ApplyRequest": "type_name:string=1 prior_state:DynamicValue=2 planned_state:DynamicValue=3 config:DynamicValue=4",
    "Applied": "new_state:DynamicValue=1 private:bytes=2 diagnostics:Diagnostic*=3 legacy_type_system:bool=4",
    "ImportRequest": "type_name:string=1 id:string=2",
    "ImportedResource": "type_name:string=1 state:DynamicValue=2 private:bytes=3",
    "Imported": "imported_resources:ImportedResource*=1 diagnostics:Diagnostic*=2",
    "DataRequest": "type_name:string=1 config:DynamicValue=2",
    "DataAnswer": "state:DynamicValue=1 diagnostics:Diagnostic*=2",
}

#: call → its request and its answer
CALLS = {
    "GetMetadata": ("Empty", "Metadata"),
    "GetProviderSchema": ("Empty", "Schemas"),
    "ValidateProviderConfig": ("ProviderConfig", "ProviderValidated"),
    "ValidateResourceConfig": ("ResourceConfig", "Diagnostics"),
    "ValidateDataResourceConfig": ("ResourceConfig", "Diagnostics"),
    "UpgradeResourceState": ("UpgradeRequest", "Upgraded"),
    "ConfigureProvider": ("ConfigureRequest", "Diagnostics"),
    "ReadResource": ("ReadRequest", "ReadAnswer"),
    "PlanResourceChange": ("PlanRequest", "Planned"),
    "ApplyResourceChange": ("ApplyRequest", "Applied"),
    "ImportResourceState": ("ImportRequest", "Imported"),
    "ReadDataSource": ("DataRequest", "DataAnswer"),
    "GetFunctions": ("Empty", "Empty"),
    "StopProvider": ("Empty", "Empty"),
}

SCALARS = {
    "bytes": FieldDescriptorProto.TYPE_BYTES,
    "string": FieldDescriptorProto.TYPE_STRING,
    "bool": FieldDescriptorProto.TYPE_BOOL,
    "int32": FieldDescriptorProto.TYPE_INT32,
    "int64": FieldDescriptorProto.TYPE_INT64,
}


def _file() -> FileDescriptorProto:
    # syntax proto2 distinguishes a zero that was set from a missing one
    file = FileDescriptorProto(name="standin.proto", package=PACKAGE, syntax="proto2")
    for message, fields in MESSAGES.items():
        described = file.message_type.add(name=message)
        for spelled in fields.split():
            name, _, rest = spelled.partition(":")
            kind, _, number = rest.partition("=")
            field = described.field.add(name=name, number=int(number))
            is_list, kind = kind.endswith("*"), kind.rstrip("*")
            field.label = FieldDescriptorProto.LABEL_REPEATED if is_list else FieldDescriptorProto.LABEL_OPTIONAL
            field.type = SCALARS.get(kind, FieldDescriptorProto.TYPE_MESSAGE)
            if kind not in SCALARS:
                field.type_name = f".{PACKAGE}.{kind}"
    return file


_POOL = DescriptorPool()
_POOL.Add(_file())


def message(name: str, /, **fields: Any) -> Any:
    """Make a message of the protocol by its name in MESSAGES."""
    return message_class(name)(**fields)


@cache
def message_class(name: str) -> Any:
    """Get the class of a message."""
    return GetMessageClass(_POOL.FindMessageTypeByName(f"{PACKAGE}.{name}"))
